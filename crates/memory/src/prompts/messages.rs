//! The messages of prompts and templates that can't be used. What they quote of the template language comes as a value,
//! because double braces mean something in the catalogues as well.

contract::sentences! { "memory";
    template_line(line, reason) = "line {line}: {reason}";
    template_content(reason) = "content, {reason}";
    template_open_place(open, escaped) = "\"{open}\" is never closed; write {escaped} for the characters themselves";
    template_unnamed_list(written, example) = "\"{written}\" needs the name of a list, as in {example}";
    template_too_deep() = "loops go at most four deep";
    template_too_large(limit) = "the filled text has more than {limit} bytes; loops within loops repeat each other's text";
    template_closes_nothing(close) = "{close} closes nothing";
    template_no_place(written) = "\"{written}\" isn't a placeholder: a name begins with a letter and has letters, digits and _";
    template_reserved(written, reserved) = "{written} is reserved: names don't begin with {reserved}";
    template_open_loop(open, close) = "this {open} is never closed with {close}";
    prompt_name(name, limit) = "the name {name} can't be used: small letters, digits and single hyphens, at most {limit} (code-review)";
    prompt_format(format) = "format {format} is unknown; allowed: markdown, json, xml";
    prompt_no_content() = "content is missing";
    prompt_no_project() = "there is no project here; save it with domain \"user\"";
    prompt_unknown_variable(name, places) = "the variable {name} is described and not in content, which has: {places}";
}
