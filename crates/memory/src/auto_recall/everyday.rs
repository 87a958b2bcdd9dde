//! Words that prompts of every project have. What only they share with a memory says nothing of what a prompt is about.

/// Words of work and of questions, and words that only join others: two texts share a *between* by chance.
const ENGLISH: &str = "able across add again against all along anything around ask asking behind beside better between beyond both broken bug \
    build called change changed changes check clean close code come comes compile continue create currently delete differ \
    difference different done error errors everything exactly explain fail failed failing fails file files first fix fixed \
    format function getting good happen happened happens having help instead keep keeps last line lines look make means \
    more need needed needs new next nothing now ok okay old open please project put puts read refactor remove rename rerun \
    review right run running runs see set sets show since something start stop summarise summarize support supported \
    supports take takes test tests thanks today together tomorrow took try under undo until update upon used uses using \
    versus want wants way whether within without work working works write wrong yesterday";
const GERMAN: &str = "behebe benenne bitte brauchen braucht danke das datei der die ein eine entferne ergänze erklär erkläre erstelle fehlen \
    fehler fehlt funktion füge gebraucht gehen geht gemacht gestern geändert grund heute implementiere ist jetzt kommen \
    kommt korrigiere lauf lösche mach mache machen macht nochmal passiert schau schreib schreibe schreiben teste und \
    ursache verschiebe warum was weiter wie zeig zeige zeile zeilen ändere übersetze";
const FRENCH: &str = "affiche aide ajoute ajouter corrige corriger crée erreur erreurs explique fichier fichiers fonction fonctionne lance \
    ligne marche merci mets modifie renomme supprime traduis écris";
const JAPANESE: &str =
    "エラー コード テスト ファイル 作成 修正 削除 問題 変更 実行 方法 更新 確認 説明 追加 関数";
/// Pairs of words that are one thing.
const PAIRS: &[&str] = &["merge request", "pull request", "stack trace"];

/// All of them.
pub(super) fn everyday_words() -> Vec<&'static str> {
    let single = [ENGLISH, GERMAN, FRENCH, JAPANESE].into_iter().flat_map(str::split_whitespace);
    single.chain(PAIRS.iter().copied()).collect()
}

/// Whether a lower-cased word is one.
pub(super) fn is_everyday(word: &str) -> bool {
    [ENGLISH, GERMAN, FRENCH, JAPANESE]
        .into_iter()
        .any(|words| words.split_whitespace().any(|one| one == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_prompt_are_everyday_in_each_language() {
        for word in ["put", "supports", "fehlt", "ajoute", "追加"] {
            assert!(is_everyday(word) && everyday_words().contains(&word), "{word}");
        }
        for word in ["pull request", "invoice", "", "Put"] {
            assert!(!is_everyday(word), "{word}");
        }
        assert!(everyday_words().contains(&"pull request"));
    }
}
