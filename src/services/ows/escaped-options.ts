/** Parses `name:value;name:value`, in which values may contain separators escaped by a backslash. */

/** Returns the values by lower-case name. */
export function readEscapedOptions(text: string): ReadonlyMap<string, string> {
  const pairs = splitUnescaped(text, ';').flatMap((pair): readonly (readonly [string, string])[] => {
    const [name = '', ...rest] = splitUnescaped(pair, ':');
    return name.trim() === '' || rest.length === 0 ? [] : [[name.trim().toLowerCase(), unescapeValue(rest.join(':'))]];
  });
  return new Map(pairs);
}

/** Splits at separators without a backslash before them; backslashes are kept. */
export function splitUnescaped(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '\\') {
      part += text.slice(at, at + 2);
      at += 1;
    } else if (character === separator) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return [...parts, part];
}

function unescapeValue(text: string): string {
  return text.replaceAll(/\\([;:,\\])/g, '$1');
}
