/** Fields that only styles have: language, version and legend. */
import type { LegendPicture, WrittenFormat } from '../../catalog/kinds/style.ts';
import type { FieldReader, WritableField } from '../../http/documents/field.ts';
import { isXmlText } from '../../http/documents/xml-text.ts';
import type { InputNode } from '../../http/serialization/input-tree.ts';
import type { OutputMember } from '../../http/serialization/output-tree.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import { formatChoices } from '../../lib/text/wording.ts';
import { parseWholeNumber } from '../../lib/values/whole-number.ts';
import { styleLanguages } from '../../styling/content/style-format.ts';

type Language = WrittenFormat['language'];
type Version = WrittenFormat['version'];

export function languageField<R>(value: (resource: R) => Language): WritableField<R, Language> {
  return {
    read(nodes, reader) {
      const text = readText(nodes);
      if (text === null) {
        return null;
      }
      const language = styleLanguages.find((each) => each === text?.trim().toLowerCase());
      if (language !== undefined) {
        return language;
      }
      reader.reportError(`expected ${formatChoices(styleLanguages)}, found '${excerpt(text ?? 'another type')}'`);
      return undefined;
    },
    write: (resource) => ({ kind: 'value', value: value(resource) }),
    required: false,
    schema: { type: 'string', enum: styleLanguages, description: 'Language of the content; derived from the content.' },
  };
}

/** `<languageVersion><version>1.0.0</version></languageVersion>`, or the bare number; an empty value clears it. */
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
      reader.reportError(`expected 1.0.0 or 1.1.0, found '${excerpt(text ?? 'another type')}'`);
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
      description: 'A legend image for the style; its URL is stored and never opened.',
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
/** Far more than the size of any legend. */
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
    reader.reportError('expected one legend');
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
      reader.reportError(`${name}: expected an integer, found '${excerpt(text)}'`);
    }
    return pixels;
  };
  const readWords = (name: (typeof legendTexts)[number]): string | null => {
    const text = readText(node.members.get(name) ?? []) ?? null;
    if (text !== null && !isXmlText(text)) {
      reader.reportError(`${name}: contains a control character, which XML cannot represent`);
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

/** Attributes are ignored. */
function isEmpty({ kind, members, text }: InputNode): boolean {
  return kind === 'object' && members.size === 0 && text.trim() === '';
}

/** The text of one plain node; null if it was cleared, undefined for other nodes. */
function readText(nodes: readonly InputNode[]): string | null | undefined {
  const [node] = nodes;
  if (node?.kind === 'nil') {
    return null;
  }
  return nodes.length === 1 && node?.kind === 'scalar' ? node.text : undefined;
}
