//! A rough token count from a byte count. Owns the one factor used everywhere; knows no tokenizer.
//!
//! Claude has no public tokenizer and each vendor's differs, so figures derived from this are always called
//! estimates; savings are stated in bytes.

/// Estimated number of tokens in `bytes` bytes of mixed English text and code (four bytes to a token, rounded up).
#[must_use]
pub fn tokens_estimate(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

#[cfg(test)]
mod tests {
    use super::tokens_estimate;

    #[test]
    fn four_bytes_to_a_token_rounded_up() {
        assert_eq!([0, 1, 4, 5, 4096].map(tokens_estimate), [0, 1, 1, 2, 1024]);
    }
}
