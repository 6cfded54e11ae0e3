/** What a client of an OGC service has sent: key-value pairs, in the address or as a form, or an XML document. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { startReadingXml } from '../../lib/xml/reader.ts';
import { type Parameters, readParameters } from './parameters.ts';

export type Message =
  | { readonly kind: 'pairs'; readonly parameters: Parameters }
  | {
      readonly kind: 'document';
      readonly root: XmlElement;
      readonly scope: NamespaceScope;
      /** What stands in the address beside it. */
      readonly rawQuery: string;
    };

/** What prefixes stand for, by prefix; the empty one is for names without. */
export type NamespaceScope = ReadonlyMap<string, string>;

export interface SentBody {
  /** In lower case and without parameters; undefined where the client says nothing. */
  readonly mediaType: string | undefined;
  readonly text: string;
}

const FORM = 'application/x-www-form-urlencoded';

/** Forms may have some of their pairs in the address. A document stands for itself, whatever type it is said to have. */
export async function readMessage(
  rawQuery: string,
  body: SentBody | undefined,
  limits: DocumentLimits,
): Promise<Message> {
  if (body === undefined || body.text.trim() === '') {
    return { kind: 'pairs', parameters: readParameters(rawQuery) };
  }
  const isDocument = body.text.trimStart().startsWith('<');
  if (body.mediaType === FORM && !isDocument) {
    return { kind: 'pairs', parameters: readParameters(`${rawQuery}&${body.text.trim()}`) };
  }
  if (!isDocument) {
    throw problem('ows-request-unreadable', { reason: `an XML document or a form (${FORM}) was expected as the body` });
  }
  const root = await readDocument(body.text, limits);
  return { kind: 'document', root, scope: extendScope(new Map(), root), rawQuery };
}

/** The scope inside an element: what is declared there joins what was known around it. */
export function extendScope(outer: NamespaceScope, element: XmlElement): NamespaceScope {
  const declared = element.attributes.flatMap(({ name, value }): readonly (readonly [string, string])[] => {
    if (name === 'xmlns') return [['', value]];
    return name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), value]] : [];
  });
  return declared.length === 0 ? outer : new Map([...outer, ...declared]);
}

/** Read within some milliseconds, whatever is in it; others have their turn in between. */
const PIECE_CHARACTERS = 16_384;

/** The root of a document. */
export async function readDocument(text: string, limits: DocumentLimits): Promise<XmlElement> {
  const reading = startReadingXml(text, limits);
  for (;;) {
    const root = reading.advance(PIECE_CHARACTERS);
    if (root !== undefined) return root;
    await othersFirst();
  }
}
