//! Extracts a PDF's text. `pdf-extract` is known to panic and loop on odd files, so it runs on a thread of its own, with a
//! large stack and a time limit, where it harms nothing else.

use std::sync::mpsc;
use std::time::Duration;

/// A page takes milliseconds; a file that takes longer than this is broken or hostile.
const TIME_LIMIT: Duration = Duration::from_secs(20);
/// Larger files are not opened.
const MAX_BYTES: usize = 50 * 1024 * 1024;
/// Deeply nested objects need stack.
const STACK_BYTES: usize = 16 * 1024 * 1024;
/// Longer text is cut.
const MAX_TEXT_BYTES: usize = 20 * 1024 * 1024;

/// A PDF's text without layout, or why there is none.
pub(crate) fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("the PDF is larger than {}", contract::Amount::bytes(MAX_BYTES as u64)));
    }
    let (send, receive) = mpsc::channel();
    let work = move || {
        let text = std::panic::catch_unwind(|| pdf_extract::extract_text_from_mem(&bytes));
        // The receiver is gone once the time was up.
        let _ = send.send(match text {
            Ok(Ok(text)) => Ok(text),
            Ok(Err(error)) => Err(format!("the PDF couldn't be read: {error}")),
            Err(_) => Err("the PDF is malformed".to_owned()),
        });
    };
    std::thread::Builder::new()
        .name("pdf".into())
        .stack_size(STACK_BYTES)
        .spawn(work)
        .map_err(|error| format!("the PDF couldn't be read: {error}"))?;
    let text = receive
        .recv_timeout(TIME_LIMIT)
        .map_err(|_| format!("the PDF took longer than {} s to read", TIME_LIMIT.as_secs()))??;
    let text = crate::cut(&text, MAX_TEXT_BYTES).trim();
    if text.is_empty() {
        return Err("the PDF has no text (it may be a scan)".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    #[test]
    fn broken_files_are_errors() {
        for bytes in [&b"%PDF-1.7"[..], b"%PDF-1.4\n1 0 obj\n<< /Length 99999999 >>", b"", &[0xff; 512]] {
            assert!(super::text_of(bytes.to_vec()).is_err());
        }
    }
}
