//! What the system says about itself, as sentences.

contract::sentences! { "codebase";
    index() = "index of code";
    nothing_yet() = "not made yet; the first search makes it";
    working(done, total) = "being made: {done} of {total} files";
    indexed(files, definitions, by_lines) = "{files} files, {definitions} definitions; {by_lines} files by lines only";
}
