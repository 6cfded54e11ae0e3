/** Kinds of fields that only styles have: the language and its version, and the legend picture. */
import type { LegendPicture, WrittenFormat } from '../../catalog/kinds/style.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import { isXmlText } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';

type Language = WrittenFormat['language'];
type Version = WrittenFormat['version'];

export function languageField<R>(value: (resource: R) => Language): WritableField<R, Language> {
  return {
    read(nodes, reader) {
      const text = readText(nodes);
      if (text === null) {
        return null;
      }
      const language = text?.trim().toLowerCase();
      if (language === 'sld' || language === 'css') {
        return language;
      }
      reader.reportError(`sld or css was expected, but '${excerpt(text ?? 'something else')}' was found`);
      return undefined;
    },
    write: (resource) => ({ kind: 'value', value: value(resource) }),
    required: false,
    schema: { type: 'string', enum: ['sld', 'css'], description: 'The language of the content, which decides.' },
  };
}

/** `<languageVersion><version>1.0.0</version></languageVersion>`, or the bare number; nothing in it clears it. */
export function versionField<R>(value: (resource: R) => Version): WritableField<R, Version> {
  return {
    read(nodes, reader) {
      const [node] = nodes;
      const text = node !== undefined && isEmpty(node) ? null : readText(node?.members.get('version') ?? nodes);
      if (text === null || text?.trim() === '') {
        return null;
      }
      const version = text?.trim().replace(/^(\d+\.\d+)$/, '$1.0');
      if (version === '1.0.0' || version === '1.1.0') {
        return version;
      }
      reader.reportError(`1.0.0 or 1.1.0 was expected, but '${excerpt(text ?? 'something else')}' was found`);
      return undefined;
    },
    write: (resource) => ({
      kind: 'object',
      members: [{ name: 'version', node: { kind: 'value', value: value(resource) } }],
    }),
    required: false,
    schema: { type: 'object', properties: { version: { type: 'string', enum: ['1.0.0', '1.1.0'] } } },
  };
}

export function legendField<R>(value: (resource: R) => LegendPicture | null): WritableField<R, LegendPicture> {
  return {
    read: readLegend,
    write: (resource) => {
      const legend = value(resource);
      return legend === null ? undefined : { kind: 'object', members: buildLegendMembers(legend) };
    },
    required: false,
    schema: {
      type: 'object',
      description: 'A picture that stands for the style, drawn elsewhere; it is kept and never opened.',
      properties: {
        width: { type: 'integer' },
        height: { type: 'integer' },
        format: { type: 'string' },
        onlineResource: { type: 'string' },
      },
    },
  };
}

const legendTexts = ['format', 'onlineResource'] as const;
const legendSizes = ['width', 'height'] as const;
const MAX_PIXELS = 1_000_000;

function buildLegendMembers(legend: LegendPicture): readonly OutputMember[] {
  return [...legendSizes, ...legendTexts].flatMap((name): readonly OutputMember[] => {
    const value = legend[name];
    return value === null ? [] : [{ name, node: { kind: 'value', value } }];
  });
}

function readLegend(nodes: readonly InputNode[], reader: FieldReader): LegendPicture | null | undefined {
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0 || node.kind === 'list') {
    reader.reportError('one legend was expected');
    return undefined;
  }
  if (node.members.size === 0) {
    return null;
  }
  const readSize = (name: (typeof legendSizes)[number]): number | null => {
    const text = readText(node.members.get(name) ?? []);
    if (text === null || text === undefined || text.trim() === '') {
      return null;
    }
    const pixels = parseWholeNumber(text.trim());
    if (!(pixels >= 0 && pixels < MAX_PIXELS)) {
      reader.reportError(`${name}: a whole number was expected, but '${excerpt(text)}' was found`);
    }
    return pixels;
  };
  const readWords = (name: (typeof legendTexts)[number]): string | null => {
    const text = readText(node.members.get(name) ?? []) ?? null;
    if (text !== null && !isXmlText(text)) {
      reader.reportError(`${name}: it contains a control character, which XML cannot carry`);
    }
    return text;
  };
  return {
    width: readSize('width'),
    height: readSize('height'),
    format: readWords('format'),
    onlineResource: readWords('onlineResource'),
  };
}

/** Whatever its attributes say. */
function isEmpty({ kind, members, text }: InputNode): boolean {
  return kind === 'object' && members.size === 0 && text.trim() === '';
}

/** The text of one plain node; null when it was cleared, undefined when it is something else. */
function readText(nodes: readonly InputNode[]): string | null | undefined {
  const [node] = nodes;
  if (node?.kind === 'nil') {
    return null;
  }
  return nodes.length === 1 && node?.kind === 'scalar' ? node.text : undefined;
}
