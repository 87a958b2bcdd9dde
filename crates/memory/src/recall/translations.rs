//! Developers' everyday words in English, German, French and Spanish: a team asks in one of them and has written in another. Only
//! where nothing else was found, because a memory in the question's own language is more surely meant.

use super::german_forms;
use crate::domain::line_with;
use crate::store::Term;

/// How much of a score is left where a memory has a question's words in another language only.
pub(super) const CERTAINTY: f64 = 0.5;
/// How much of the question it must have at least: one such word of many is hardly a sign that it's about the same.
pub(super) const MIN_COVERAGE: f64 = 0.5;

/// The words for one thing per line; each is in one line only. What is another word in English (French *client*, German *Tag*)
/// isn't here.
const TRANSLATIONS: &str = "access|zugriff|accès|acceso
account|konto|compte|cuenta
address|adresse|dirección
amount|betrag|montant|importe
answer|antwort|réponse|respuesta
backup|sicherung|sauvegarde|copia de seguridad
branch|zweig|branche
broker|courtier
browser|navigateur|navegador
build|kompilierung|compilation|compilación
button|schaltfläche|knopf|bouton|botón
calendar|kalender|calendrier|calendario
certificate|zertifikat|certificat|certificado
choice|auswahl|choix|elección
column|spalte|colonne|columna
comment|kommentar|commentaire|comentario
configuration|konfiguration|configuración
connection|verbindung|connexion|conexión
contract|vertrag|contrat|contrato
convention|konvention|convención
currency|währung|moneda
customer|kunde|cliente
data|daten|données|datos
database|datenbank|base de données|base de datos
day|jour|día
decision|entscheidung|décision|decisión
dependency|abhängigkeit|dépendance|dependencia
deployment|auslieferung|déploiement|despliegue
device|gerät|appareil|dispositivo
disk|festplatte|disque|disco
documentation|dokumentation|documentación
domain|domäne|domaine|dominio
email|e-mail|courriel|correo
encryption|verschlüsselung|chiffrement|cifrado
environment|umgebung|environnement|entorno
error|fehler|erreur
export|ausgabe|exportación
failure|ausfall|panne|fallo
feature|funktion|fonctionnalité|funcionalidad
field|feld|campo
file|datei|fichier|archivo
folder|ordner|verzeichnis|dossier|carpeta
font|schriftart|fuente
holiday|feiertag|férié|festivo
host|rechner|hôte|anfitrión
hour|stunde|heure|hora
image|bild|imagen
interface|schnittstelle|interfaz
invoice|rechnung|facture|factura
key|schlüssel|clé|clave
language|sprache|langue|idioma
latency|latenz|latence|latencia
leak|leck|fuite|fuga
library|bibliothek|bibliothèque|biblioteca
license|lizenz|licencia
limit|grenze|limite|límite
load|auslastung|carga
log|protokoll|registro
maintenance|wartung|mantenimiento
measurement|messung|mesure|medición
memory|arbeitsspeicher|mémoire|memoria
message|nachricht|mensaje
minute|minuto
monitoring|überwachung|monitorización
month|monat|mois
network|netzwerk|réseau
number|nummer|numéro|número
order|bestellung|commande|pedido
owner|eigentümer|propriétaire|propietario
package|paket|paquet|paquete
password|passwort|mot de passe|contraseña
payment|zahlung|paiement
performance|leistung|rendimiento
permission|berechtigung|permiso
price|preis|prix|precio
printer|drucker|imprimante|impresora
privacy|datenschutz|confidentialité|privacidad
queue|warteschlange|file d'attente
reason|grund|razón
refund|erstattung|remboursement|reembolso
region|région|región
release|veröffentlichung|publicación
report|bericht|informe
request|anfrage|requête|petición
responsible|verantwortlich|zuständig|responsable
restart|neustart|redémarrage|reinicio
retention|aufbewahrung|retención
retry|wiederholung|réessai|reintento
review|begutachtung|relecture|revisión
role|rolle
schedule|zeitplan|horario
schema|datenbankschema|schéma|esquema
screen|bildschirm|écran|pantalla
search|suche|recherche|búsqueda
secret|geheimnis|secreto
security|sicherheit|sécurité|seguridad
server|serveur|servidor
service|dienst|servicio
session|sitzung|sesión
setting|einstellung|paramètre|ajuste
size|größe|taille|tamaño
source code|quellcode|quelltext|code source|código fuente
speed|geschwindigkeit|vitesse|velocidad
storage|speicher|stockage|almacenamiento
style|stil|estilo
subscription|abonnement|suscripción
support|unterstützung|soporte
table|tabelle|tabla
tax|steuer|impôt|impuesto
template|vorlage|modèle|plantilla
ticket|fahrschein|billet|billete
time zone|timezone|zeitzone|fuseau horaire|zona horaria
timeout|zeitüberschreitung|délai|tiempo de espera
token|jeton
tool|werkzeug|outil|herramienta
translation|übersetzung|traduction|traducción
user|benutzer|nutzer|utilisateur|usuario
validation|prüfung|validación
vendor|lieferant|fournisseur|proveedor
warehouse|lager|entrepôt|almacén
week|woche|semaine|semana
window|fenster|fenêtre|ventana
year|jahr|année|año";

/// Adds to the words of a question those for the same in other languages.
pub(super) fn add(terms: &mut [Term], question: &str) {
    let plain = question.to_lowercase();
    let phrases: Vec<(&str, Vec<String>)> = TRANSLATIONS
        .split(['|', '\n'])
        .filter(|entry| entry.contains(' ') && plain.contains(entry))
        .map(|entry| (entry, translations(entry)))
        .collect();
    for term in terms.iter_mut().filter(|term| !term.part.quoted) {
        let word = term.part.text.to_lowercase();
        term.forms.extend(translations(&word));
        for (phrase, others) in &phrases {
            if phrase.split(' ').any(|one| one == word) {
                term.forms.extend(others.iter().cloned());
            }
        }
    }
}

/// The words for the same as a lower-cased one in other languages; usually none. A plural is looked up as its singular, and a German
/// word is searched with each of its endings.
fn translations(word: &str) -> Vec<String> {
    let singular = word.strip_suffix('s').unwrap_or(word);
    let line = [word, singular, german_forms::stem(word)]
        .into_iter()
        .find_map(|form| line_with(TRANSLATIONS, b'|', form).map(|line| (form, line)));
    let Some((found, line)) = line else { return Vec::new() };
    let mut out: Vec<String> = Vec::new();
    for (at, other) in line.split('|').enumerate().filter(|(_, other)| *other != found) {
        out.push(other.to_owned());
        // The second is German.
        if at == 1 {
            out.extend(german_forms::other_endings(other));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Domain, Namespace};
    use crate::query::{Filter, Scope, Selection};
    use crate::recall::{Confidence, RecallRequest, recall};
    use crate::store::{Actor, Draft, Secrets, SqliteStore, Store};

    #[test]
    fn a_word_is_in_one_line_and_found_in_its_plural() {
        let mut seen = std::collections::HashSet::new();
        for word in TRANSLATIONS.split(['|', '\n']) {
            assert!(seen.insert(word) && word == word.to_lowercase(), "{word}");
        }
        for (word, other) in [
            ("datenbanken", "database"),
            ("invoices", "rechnung"),
            ("invoice", "rechnungen"),
            ("factures", "invoice"),
            ("contraseña", "password"),
        ] {
            assert!(translations(word).iter().any(|one| one == other), "{word}");
        }
        for word in ["walrus", "s", ""] {
            assert!(translations(word).is_empty(), "{word}");
        }
    }

    #[test]
    fn a_question_in_another_language_finds_what_nothing_else_matches_and_never_surely() {
        let dir = tempfile::tempdir().unwrap();
        let mut store = SqliteStore::open(&dir.path().join("memory.db")).unwrap();
        for content in [
            "Postgres is the only database in production",
            "Rechnungen gehen als ZUGFeRD-Datei an den Verlag",
            "Les mots de passe changent en mars",
            "Rosters are printed on A3",
        ] {
            let draft = Draft::new(content, Namespace::Decisions, Domain::User);
            store.capture(&draft.check(Secrets::Redact).unwrap(), &Actor::local_user(1)).unwrap();
        }
        let ask = |question: &str, unasked: bool| {
            let selection = Selection { scope: Scope::Everywhere, filter: Filter::default(), now_ms: 2 };
            let query = Some(question.to_owned());
            let asked = RecallRequest { query, selection, limit: 5, unasked, ..RecallRequest::default() };
            recall(&store, &asked).unwrap().hits
        };
        for (question, expected) in [
            ("welche Datenbank haben wir?", "Postgres"),
            ("where do invoices go", "Rechnungen"),
            ("quelle base de données ?", "Postgres"),
        ] {
            let hits = ask(question, false);
            assert!(hits.first().is_some_and(|hit| hit.memory.content.starts_with(expected)), "{question}");
            assert!(hits.iter().all(|hit| hit.confidence() < Some(Confidence::High)), "{question}");
            assert!(ask(question, true).is_empty(), "{question}");
        }
        for question in [
            "wo liegt der Drucker",
            "which walrus",
            "welche Farbe hat der Himmel",
            "why did the invoices turn purple overnight",
        ] {
            assert!(ask(question, false).is_empty(), "{question}");
        }
    }
}
