/** Lists the parts of a style that maps do not support, for warnings. `docs/styling-support.md` is generated from the same tables. */
import { isKnownFunction } from '../../filter/evaluate/evaluate.ts';
import type { Expression } from '../../filter/model/expression.ts';
import { findNearestName } from '../../lib/text/nearest-name.ts';
import { checkChart, isChartAddress } from '../graphics/chart-address.ts';
import {
  findLetterMark,
  findWellKnownMark,
  MAX_WKT_CHARACTERS,
  markNames,
} from '../legend/symbols/well-known-marks.ts';
import { windUnits } from '../legend/symbols/wind-barb.ts';
import type { ExternalMark, VendorOption } from '../model/model.ts';
import { findMarkHref } from '../model/references.ts';
import type { StyledLayerDescriptor } from '../model/styled-layer-descriptor.ts';
import { checkTransformation } from '../transformations/check-transformation.ts';
import { checkOption } from './vendor-options.ts';

/** The maximum number of sentences. */
const MAX_SENTENCES = 10;

/** Returns sentences without duplicates. */
export function listUnsupported(model: StyledLayerDescriptor): readonly string[] {
  const found = new Set<string>();
  collectUnsupported(model, found);
  const sentences = [...found];
  if (sentences.length <= MAX_SENTENCES) return sentences;
  return [
    ...sentences.slice(0, MAX_SENTENCES - 1),
    `${sentences.length - MAX_SENTENCES + 1} more unsupported items are not listed.`,
  ];
}

function collectUnsupported(part: object, found: Set<string>): void {
  if ('kind' in part) {
    // Foreign elements are covered by the elements that contain them.
    if (part.kind === 'element') return;
    const sentence = findSentence(part as Partial<Record<string, unknown>>);
    addSentence(found, sentence);
    if (part.kind === 'online' && 'href' in part && isChartAddress(String(part.href)))
      for (const each of checkChart(String(part.href))) found.add(each);
  }
  for (const [key, inner] of Object.entries(part)) {
    if (typeof inner !== 'object' || inner === null) continue;
    if (key === 'vendorOptions') {
      const place = 'kind' in part ? String(part.kind) : undefined;
      for (const option of inner as readonly VendorOption[]) addSentence(found, checkOption(option, place));
    }
    if (key === 'transformation') for (const sentence of checkTransformation(inner as Expression)) found.add(sentence);
    // Functions of rasters are not checked here.
    if (key === 'transformation' || key === 'colorMap') continue;
    collectUnsupported(inner, found);
  }
}

function addSentence(found: Set<string>, sentence: string | undefined): void {
  if (sentence !== undefined) found.add(sentence);
}

function findSentence(part: Partial<Record<string, unknown>>): string | undefined {
  switch (part['kind']) {
    case 'remoteService':
    case 'inlineFeatures':
      return 'Inline features and features of remote services are not drawn.';
    case 'featureTypeStyle':
      return part['remoteRules'] === undefined ? undefined : 'External rules are not drawn.';
    case 'userStyle':
      return part['remoteStyles'] === undefined ? undefined : 'External styles are not drawn.';
    case 'externalGraphic':
      return part['colorReplacements'] === undefined ? undefined : 'Colour replacements in pictures are not applied.';
    case 'rasterSymbolizer':
      return part['imageOutline'] === undefined ? undefined : 'Outlines of rasters are not drawn.';
    case 'mark':
      return findMarkSentence(part);
    case 'function':
      return findFunctionSentence(String(part['name']), part['fallback']);
    default:
      return 'baseSymbolizer' in part && part['baseSymbolizer'] !== undefined
        ? 'External symbolizers are not drawn.'
        : undefined;
  }
}

function findMarkSentence({ externalMark, wellKnownName }: Partial<Record<string, unknown>>): string | undefined {
  if (externalMark !== undefined) return findExternalMarkSentence(externalMark as ExternalMark);
  const name = wellKnownName as Expression | undefined;
  // Names with expressions depend on the feature.
  if (name?.kind !== 'literal' || name.value.includes('${')) return undefined;
  if (findMarkHref(name) !== undefined) return undefined;
  if (findWellKnownMark(name.value) === undefined) {
    if (/^\s*windbarbs:/i.test(name.value))
      return `Invalid wind barb '${shortenName(name.value)}'. A square is drawn instead. Use windbarbs://default(speed)[unit], where the unit is ${windUnits.join(', ')}.`;
    if (/^\s*wkt:/i.test(name.value))
      return `Invalid mark '${shortenName(name.value)}'. A square is drawn instead. Use wkt:// with a line or polygon of at most ${MAX_WKT_CHARACTERS} characters.`;
    const guess = findNearestName(name.value.trim(), markNames);
    const hint = guess === undefined ? '' : ` Did you mean '${guess}'?`;
    return `Unknown mark '${shortenName(name.value)}'. A square is drawn instead.${hint}`;
  }
  const isLetter = name.value.trim().toLowerCase().startsWith('ttf://');
  if (!isLetter || findLetterMark(name.value) !== undefined) return undefined;
  return 'Glyph marks (ttf://) of unavailable fonts are drawn as squares.';
}

function findExternalMarkSentence({ format }: ExternalMark): string | undefined {
  if (/svg|ttf|truetype/i.test(format)) return undefined;
  return `Marks of the format '${shortenName(format)}' are not drawn: the next symbol of the graphic or a square is used. Use image/svg+xml or ttf.`;
}

function findFunctionSentence(name: string, fallback: unknown): string | undefined {
  if (isKnownFunction(name) || fallback !== undefined) return undefined;
  return `The function '${shortenName(name)}' is not supported in maps: values fall back to their defaults, and geometries are not drawn.`;
}

function shortenName(name: string): string {
  return name.slice(0, 40).replace(/[^\x20-\x7e]/g, '?');
}
