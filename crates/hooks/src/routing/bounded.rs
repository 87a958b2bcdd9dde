//! Whether a pipeline's output is bounded because it goes to a file or through a program that passes little on.

use shell::Stage;

/// Whether the last stage limits what reaches the conversation.
pub(super) fn is_bounded(pipeline: &[Stage]) -> bool {
    let Some(last) = pipeline.last() else { return true };
    if last.stdout_to.is_some() {
        return true;
    }
    // PowerShell ignores case.
    let program = last.program().to_ascii_lowercase();
    pipeline.len() > 1
        && matches!(
            program.as_str(),
            "head"
                | "tail"
                | "wc"
                | "grep"
                | "egrep"
                | "fgrep"
                | "rg"
                | "jq"
                | "yq"
                | "awk"
                | "cut"
                | "sed"
                | "uniq"
                | "md5sum"
                | "sha256sum"
                | "sha1sum"
                | "shasum"
                | "tar"
                | "gunzip"
                | "unzip"
                | "sh"
                | "bash"
                | "zsh"
                | "python"
                | "python3"
                | "node"
                | "tee"
                | "xmllint"
                | "pup"
                | "htmlq"
                | "column"
                | "less"
                | "dd"
                | "gpg"
                | "iex"
                | "invoke-expression"
                | "out-file"
                | "out-null"
                | "set-content"
                | "select-object"
                | "select-string"
                | "sls"
                | "measure-object"
        )
}
