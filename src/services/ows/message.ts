/** A message from an OGC client: key-value pairs in the query or in a form, or an XML document. */
import { setImmediate as othersFirst } from 'node:timers/promises';
import { problem } from '../../lib/problems/problem.ts';
import type { DocumentLimits } from '../../lib/text/document-limits.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { startReadingXml } from '../../lib/xml/reader.ts';
import { type Parameters, readFormParameters, readParameters } from './parameters.ts';

export type Message =
  | { readonly kind: 'pairs'; readonly parameters: Parameters }
  | {
      readonly kind: 'document';
      readonly root: XmlElement;
      readonly scope: NamespaceScope;
      /** The query of the address. */
      readonly rawQuery: string;
    };

/** Namespaces by prefix; the empty prefix is the default namespace. */
export type NamespaceScope = ReadonlyMap<string, string>;

export interface SentBody {
  /** In lower case and without parameters; undefined without a Content-Type header. */
  readonly mediaType: string | undefined;
  readonly text: string;
}

const FORM = 'application/x-www-form-urlencoded';

/** Forms can have some of their pairs in the query. XML is detected by its content, regardless of the media type. */
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
    return { kind: 'pairs', parameters: await readFormParameters(`${rawQuery}&${body.text.trim()}`) };
  }
  if (!isDocument) {
    throw problem('ows-request-unreadable', { reason: `expected an XML document or a form (${FORM}) as the body` });
  }
  const root = await readDocument(body.text, limits);
  return { kind: 'document', root, scope: extendScope(new Map(), root), rawQuery };
}

/** Adds the declarations of an element to the scope. */
export function extendScope(outer: NamespaceScope, element: XmlElement): NamespaceScope {
  const declared = element.attributes.flatMap(({ name, value }): readonly (readonly [string, string])[] => {
    if (name === 'xmlns') return [['', value]];
    return name.startsWith('xmlns:') ? [[name.slice('xmlns:'.length), value]] : [];
  });
  return declared.length === 0 ? outer : new Map([...outer, ...declared]);
}

/** A piece is parsed within some milliseconds; other requests run in between. */
const PIECE_CHARACTERS = 16_384;

/** Parses a document and returns its root. */
export async function readDocument(text: string, limits: DocumentLimits): Promise<XmlElement> {
  const reading = startReadingXml(text, limits);
  for (;;) {
    const root = reading.advance(PIECE_CHARACTERS);
    if (root !== undefined) return root;
    await othersFirst();
  }
}
