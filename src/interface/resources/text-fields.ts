/** Text fields with one value, or with one value per language. */
import type { InternationalText } from '../../catalog/kinds/resource.ts';
import type { WritableField } from '../../http/documents/field.ts';
import { isXmlText, reportInvalidCharacters } from '../../http/documents/xml-text.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';

/** A BCP 47 tag, also with an underscore as separator. */
const languageTag = /^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,5}$/;

/** `<internationalTitle><en>Roads</en><fr>Routes</fr></internationalTitle>`; omitted from responses when empty. */
export function internationalField<R>(
  value: (resource: R) => InternationalText | null,
): WritableField<R, InternationalText> {
  return {
    read: (nodes, reader) => {
      const [node] = nodes;
      if (node === undefined || node.kind === 'nil' || (node.members.size === 0 && node.text.trim() === '')) {
        return null;
      }
      const entries = [...node.members];
      const isPlain = entries.every(
        ([tag, [text, ...others]]) =>
          languageTag.test(tag) && others.length === 0 && text?.kind !== 'list' && (text?.members.size ?? 0) === 0,
      );
      if (nodes.length > 1 || entries.length === 0 || node.text.trim() !== '' || !isPlain) {
        reader.reportError(
          'expected a text for each language, in an element named after the language, such as en or pt-BR',
        );
        return undefined;
      }
      const texts = entries.flatMap(([tag, [text]]) =>
        text === undefined || text.kind === 'nil' ? [] : [[tag, text.text] as const],
      );
      return texts.every(([, text]) => isXmlText(text)) ? Object.fromEntries(texts) : reportInvalidCharacters(reader);
    },
    write: (resource) => {
      const texts = Object.entries(value(resource) ?? {});
      const members = texts.map(([name, text]): OutputMember => ({ name, node: { kind: 'value', value: text } }));
      return members.length === 0 ? undefined : { kind: 'object', members };
    },
    required: false,
    schema: { type: 'object', additionalProperties: { type: 'string' }, description: 'By language.' },
  };
}

export function numberField<R>(value: (resource: R) => number | null): WritableField<R, number> {
  return {
    read: (nodes, reader) => {
      const [node] = nodes;
      if (node?.kind === 'nil') {
        return null;
      }
      const text = node?.text.trim() ?? '';
      const isPlain = nodes.length === 1 && node?.kind !== 'list' && node?.members.size === 0;
      if (!isPlain || text === '' || !Number.isFinite(Number(text))) {
        reader.reportError(`expected a number, found '${excerpt(text)}'`);
        return undefined;
      }
      return Number(text);
    },
    write: (resource) => {
      const number = value(resource);
      return number == null ? undefined : { kind: 'value', value: number };
    },
    required: false,
    schema: { type: 'number' },
  };
}
