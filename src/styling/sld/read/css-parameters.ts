/** Reads the named parameters (`CssParameter` of 1.0.0, `SvgParameter` of 1.1.0) of a fill, a stroke or a font. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { listed, quoted } from '../grammar/expected.ts';
import { attribute } from './elements.ts';
import type { Reading } from './reading.ts';

/** What to do with each parameter, by its name. */
export type ParameterReaders = Readonly<Record<string, (parameter: XmlElement) => void>>;

/** Names in `repeatable` may come more than once. */
export function readNamedParameters(
  reading: Reading,
  element: XmlElement,
  readers: ParameterReaders,
  repeatable?: string,
): void {
  const seen: string[] = [];
  for (const each of element.children) {
    if (each.kind !== 'element' || (each.local !== 'CssParameter' && each.local !== 'SvgParameter')) continue;
    const written = attribute(each, 'name');
    if (written === undefined) continue;
    const name = written.trim().toLowerCase();
    const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
    if (read === undefined) {
      const known = listed(Object.keys(readers));
      reading.complaints.add(each, `${element.local} has no parameter ${quoted(written)}. Expected: ${known}`);
    } else if (seen.includes(name) && name !== repeatable) {
      reading.complaints.add(each, `the parameter ${quoted(name)} is given twice in ${element.local}`);
    } else {
      seen.push(name);
      read(each);
    }
  }
}
