//! The messages of filters that can't be parsed, and of the words in them.

contract::sentences! { "memory";
    filter_at(at, reason) = "filter, character {at}: {reason}";
    filter_too_long(limit, bytes) = "a filter has at most {limit} bytes, this one has {bytes}";
    filter_without_key(word, keys) = "\"{word}\" has no key; write key:value with one of {keys}, and put words to search for in query";
    filter_unknown_key(key, keys) = "the key \"{key}\" is unknown; allowed: {keys}";
    filter_after_quote() = "after a closing quote there must be a comma, a space or the end";
    filter_open_quote() = "this quote is never closed";
    filter_half_quoted() = "quotes go around the whole value";
    filter_no_value(key) = "{key}: has no value here";
    filter_one_value(key) = "{key}: takes one value";
    filter_no_negation() = "since: and until: can't be negated; each is the other's opposite";
    filter_asks_for_nothing() = "-status:any excludes everything";
    unknown_name(what, given, allowed) = "{what} \"{given}\" is unknown; allowed: {allowed}";
    not_a_period(given, example) = "\"{given}\" isn't a period; write {example}";
    not_a_moment(given, example) = "\"{given}\" isn't a period or date; write {example}";
}
