/** A bundled font under another family name, as a font that only tests upload. */
import { readFile } from 'node:fs/promises';

/** Returns Cousine as `Survey1`, a name of the same length. */
export async function renameFont(style: '400Regular' | '700Bold' = '400Regular'): Promise<Buffer> {
  const bytes = await readFile(`node_modules/@expo-google-fonts/cousine/${style}/Cousine_${style}.ttf`);
  const rename = (encoding: 'latin1' | 'utf16le', swap: boolean): void => {
    const [before, after] = ['Cousine', 'Survey1'].map((name) => {
      const text = Buffer.from(name, encoding);
      return swap ? text.swap16() : text;
    });
    if (before === undefined || after === undefined) return;
    for (let at = bytes.indexOf(before); at >= 0; at = bytes.indexOf(before, at + 1)) after.copy(bytes, at);
  };
  rename('latin1', false);
  rename('utf16le', true);
  return bytes;
}
