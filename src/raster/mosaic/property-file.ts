/** Reads Java property files: comments, continued lines, escapes, and keys that end at `=`, `:` or a space. */
import { MalformedLineError, unescapeText } from '../../vector/properties/property-lines.ts';
import { createDefinitionError, type Entry } from './definition-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns entries in order; a duplicate key is an error, because only one of them could apply. */
export function readPropertyFile(file: string, bytes: Uint8Array): readonly Entry[] {
  const entries: Entry[] = [];
  const taken = new Map<string, number>();
  for (const { text, line } of readLogicalLines(decodeBytes(bytes))) {
    const [, rawKey = '', rawValue = ''] = /^((?:\\[\s\S]|[^\\=:\s])*)\s*[=:]?\s*([\s\S]*)$/.exec(text) ?? [];
    const entry = {
      file,
      line,
      key: unescapeValue(file, line, rawKey),
      value: unescapeValue(file, line, rawValue).trim(),
    };
    const before = taken.get(entry.key);
    if (before !== undefined) throw createDefinitionError(entry, entry.key, `it is a duplicate of line ${before}`);
    taken.set(entry.key, line);
    entries.push(entry);
  }
  return entries;
}

/** Java property files were ISO 8859-1 originally; bytes that are not UTF-8 are decoded as that. */
function decodeBytes(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return Buffer.from(bytes).toString('latin1');
  }
}

function* readLogicalLines(text: string): Generator<{ readonly text: string; readonly line: number }> {
  let continued: { text: string; readonly line: number } | undefined;
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const part = written.replace(/^[ \t\f]+/, '');
    if (continued === undefined && (part === '' || part.startsWith('#') || part.startsWith('!'))) continue;
    const [backslashes = ''] = /\\*$/.exec(part) ?? [];
    const goesOn = backslashes.length % 2 === 1;
    const whole: { text: string; readonly line: number } = continued ?? { text: '', line: index + 1 };
    whole.text += goesOn ? part.slice(0, -1) : part;
    continued = goesOn ? whole : undefined;
    if (!goesOn) yield whole;
  }
  if (continued !== undefined) yield continued;
}

function unescapeValue(file: string, line: number, text: string): string {
  try {
    return unescapeText(text);
  } catch (error) {
    if (!(error instanceof MalformedLineError)) throw error;
    throw createDefinitionError({ file, line }, text, error.message);
  }
}
