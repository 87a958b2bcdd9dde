//! How much of a memory's text a reply shows.

/// The level of detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// No text.
    Light,
    /// The beginning, or the part that matches the question.
    #[default]
    Medium,
    /// The whole text.
    Everything,
}

/// Maximum length of a text at medium detail, including the marks for omissions.
const MEDIUM_BYTES: usize = 250;

impl Detail {
    /// The names of all levels.
    pub const WORDS: &'static str = "light, medium, everything";

    /// The level with this name, or one of subcog's names.
    pub fn from_name(word: &str) -> Option<Self> {
        match word.trim().to_ascii_lowercase().as_str() {
            "light" | "minimal" | "frontmatter" => Some(Self::Light),
            "medium" | "summary" | "default" => Some(Self::Medium),
            "everything" | "full" | "all" => Some(Self::Everything),
            _ => None,
        }
    }
}

/// The text at this level; `None` for none. The part that matches the question is included.
pub fn shortened(content: &str, detail: Detail, query: Option<&str>) -> Option<String> {
    match detail {
        Detail::Light => None,
        Detail::Everything => Some(content.to_owned()),
        Detail::Medium if content.len() <= MEDIUM_BYTES => Some(content.to_owned()),
        Detail::Medium => {
            let terms = query.map(text::query_terms).unwrap_or_default();
            Some(text::snippet(content, &terms, MEDIUM_BYTES))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_detail_shows_its_part() {
        let long = format!("{} the needle is here. {}", "hay ".repeat(200), "straw ".repeat(200));
        assert_eq!(shortened(&long, Detail::Light, None), None);
        assert_eq!(shortened(&long, Detail::Everything, None).unwrap(), long);
        let medium = shortened(&long, Detail::Medium, Some("needle")).unwrap();
        assert!(medium.len() <= MEDIUM_BYTES && medium.contains("needle"), "{medium}");
        assert_eq!(shortened("short 中文 🦀", Detail::Medium, None).unwrap(), "short 中文 🦀");
        let wide = "字".repeat(500);
        assert!(shortened(&wide, Detail::Medium, None).unwrap().len() <= MEDIUM_BYTES);
        assert_eq!(Detail::from_name("frontmatter"), Some(Detail::Light));
        assert_eq!(Detail::from_name("tiny"), None);
    }
}
