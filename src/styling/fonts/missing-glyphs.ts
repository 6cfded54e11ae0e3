/** Characters of labels that no font has. */

/** The characters of one script that a list of fonts cannot draw, nor any other font. */
export interface MissingGlyphs {
  /** The fonts as written in the style; empty if the style names none. */
  readonly fonts: readonly string[];
  /** The name of the script in Unicode, or `Emoji`. */
  readonly script: string;
  /** One of the characters. Messages contain its number, because headers are limited to ASCII. */
  readonly sample: string;
}

const scripts = [
  'Arabic',
  'Armenian',
  'Bengali',
  'Cherokee',
  'Cyrillic',
  'Devanagari',
  'Ethiopic',
  'Georgian',
  'Greek',
  'Gujarati',
  'Gurmukhi',
  'Han',
  'Hangul',
  'Hebrew',
  'Hiragana',
  'Kannada',
  'Katakana',
  'Khmer',
  'Lao',
  'Latin',
  'Malayalam',
  'Mongolian',
  'Myanmar',
  'Oriya',
  'Sinhala',
  'Syriac',
  'Tamil',
  'Telugu',
  'Thaana',
  'Thai',
  'Tibetan',
  'Tifinagh',
].map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') }));

/** Returns the script of a character; `Other` for symbols and rare scripts. */
export function findScript(character: string): string {
  const known = scripts.find(({ pattern }) => pattern.test(character));
  return known?.name ?? (/\p{Extended_Pictographic}/u.test(character) ? 'Emoji' : 'Other');
}

export function formatMissingGlyphs({ fonts, script, sample }: MissingGlyphs): string {
  const what = script === 'Other' ? 'Some characters' : script === 'Emoji' ? 'Emoji' : `${script} characters`;
  const where = fonts.length === 0 ? 'labels' : `labels in '${fonts.join(', ')}'`;
  const code = (sample.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `${what} of ${where}, such as U+${code}, are missing in all fonts and are drawn as boxes. Upload a font that has them to /rest/fonts.`;
}

/** The missing glyphs of recent maps, for the report of the doctor. */
export class MissingGlyphLog {
  readonly #entries = new Map<string, { readonly missing: MissingGlyphs; readonly version: string }>();

  /** `version` identifies the uploaded fonts with which the map was drawn. */
  add(missing: MissingGlyphs, version: string): void {
    const key = formatKey(missing);
    if (this.#entries.size < MAX_ENTRIES || this.#entries.has(key)) this.#entries.set(key, { missing, version });
  }

  /** Returns those that occurred with the current fonts. */
  list(version: string): readonly MissingGlyphs[] {
    return [...this.#entries.values()].filter((entry) => entry.version === version).map(({ missing }) => missing);
  }
}

/** Each combination of fonts and script is one entry; more are not needed to see what to upload. */
const MAX_ENTRIES = 100;

/** Collects each combination of fonts and script once. */
export class MissingGlyphCollector {
  readonly #found = new Map<string, MissingGlyphs>();

  add(fonts: readonly string[], characters: readonly string[]): void {
    for (const sample of characters) {
      const missing = { fonts, script: findScript(sample), sample };
      const key = formatKey(missing);
      if (!this.#found.has(key) && this.#found.size < MAX_ENTRIES) this.#found.set(key, missing);
    }
  }

  list(): readonly MissingGlyphs[] {
    return [...this.#found.values()];
  }
}

function formatKey({ fonts, script }: MissingGlyphs): string {
  return [script, ...fonts].join('\n');
}
