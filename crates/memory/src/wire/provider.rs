//! The providers of models, by their names in settings and key lists.

/// The provider, which determines the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// Anthropic's messages API.
    Anthropic,
    /// OpenAI's API, or a compatible one.
    OpenAi,
    /// Ollama, local or remote.
    Ollama,
    /// LM Studio, which is compatible with OpenAI's API.
    LmStudio,
}

impl Provider {
    /// All variants.
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

    /// The variant with this name.
    pub fn from_name(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == word)
    }

    /// The default address.
    pub(crate) fn url(self) -> &'static str {
        match self {
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Ollama => "http://127.0.0.1:11434",
            Self::LmStudio => "http://127.0.0.1:1234/v1",
        }
    }
}
