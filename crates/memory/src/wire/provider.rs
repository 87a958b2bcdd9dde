//! Who answers at an endpoint, by the name that settings and keys have for it.

/// Whose dialect an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Anthropic's messages.
    Anthropic,
    /// OpenAI's, or one that speaks like it.
    OpenAi,
    /// Ollama on this computer or another one.
    Ollama,
    /// LM Studio, which speaks like OpenAI's.
    LmStudio,
}

impl Provider {
    /// All, by name.
    pub const ALL: &[Self] = &[Self::Anthropic, Self::OpenAi, Self::Ollama, Self::LmStudio];

    /// Its name in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::LmStudio => "lmstudio",
        }
    }

    /// The one of this name.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    /// Where it is when the settings don't say.
    pub(crate) fn url(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://127.0.0.1:11434",
            Self::LmStudio => "http://127.0.0.1:1234/v1",
        }
    }
}
