/** The potentially slow work on styles, as functions for a worker: only bytes are large in inputs and outputs. */

import { hash } from 'node:crypto';
import { replaceInnerParts } from '../filter/model/inner-parts.ts';
import { createLruCache } from '../lib/cache/lru-cache.ts';
import { Problem, problem } from '../lib/problems/problem.ts';
import { type ChunkedValue, splitIntoChunks } from '../workers/large-values.ts';
import type { Task } from '../workers/task.ts';
import { convertContent } from './content/convert-content.ts';
import { type ContentDescription, describeContent, describeUnchecked } from './content/describe-content.ts';
import { type ExpectedContent, readContent, type StyleContent } from './content/read-content.ts';
import type { StyleFormat, StyleLanguage } from './content/style-format.ts';
import { type StyleSummary, summariseContent } from './content/summarise-content.ts';
import { isFontName, type MeasuredFont } from './fonts/font-file.ts';
import { hideSecrets } from './graphics/hide-secrets.ts';
import { useUploadedFonts } from './legend/canvas/use-fonts.ts';
import { type GraphicFault, listInlineGraphicFaults } from './legend/images/inline-graphics.ts';
import { drawLegend, type LegendRequest, listLegendGraphics } from './legend/legend.ts';
import { type LayerSource, writeStyleLayers } from './mbstyle/writer.ts';
import { findUserStyle } from './model/find-user-style.ts';
import type { NamedLayer, StyledLayerDescriptor, UserStyle } from './model/model.ts';
import { checkFont, readFont } from './package/check-font.ts';
import { checkImage } from './package/check-image.ts';
import type { SldVersion } from './sld/document/sld-version.ts';
import { writeSld } from './sld/writer.ts';

/** The content of a style in the catalog. */
export interface StoredStyle {
  /** The name in messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly language: StyleLanguage;
  readonly charset: string | null;
}

export type ReceivedStyle =
  | { readonly bytes: Uint8Array; readonly expected: ExpectedContent }
  /** Stored without validation. */
  | { readonly bytes: Uint8Array; readonly unchecked: StyleFormat & { readonly charset?: string | undefined } };

export interface Conversion {
  readonly style: StoredStyle;
  readonly to: StyleFormat;
}

/** The layers of a MapLibre style that are requested. */
export interface MbLayersRequest {
  /** The names of the layer, which select its style in a document with several. */
  readonly layerNames: readonly string[];
  readonly source: LayerSource;
  /** The ids of the layers begin with it. */
  readonly prefix: string;
}

export interface MbLayersText {
  /** The layers as JSON, separated by commas. */
  readonly layers: string;
  /** Parts that the layers do not express. */
  readonly losses: readonly string[];
}

/** Styles of layers that become one SLD document. */
export interface JoinedStyles {
  readonly layers: readonly JoinedLayer[];
  /** By default the older version, unless it cannot express the styles. */
  readonly version: SldVersion | undefined;
}

export interface JoinedLayer {
  readonly name: string;
  /** The names that select a style in a document with several. */
  readonly layerNames: readonly string[];
  readonly styles: readonly { readonly style: StoredStyle; readonly isDefault: boolean }[];
}

export interface LegendDrawing {
  readonly style: StoredStyle;
  readonly request: LegendRequest;
  /** The available graphics; undefined to list the required ones first. */
  readonly graphics?: ReadonlyMap<string, Uint8Array>;
}

/** A picture, or the graphics that it requires. */
export type DrawnLegend = { readonly picture: Uint8Array } | { readonly needs: readonly string[] };

const module = import.meta.url;

export const describeStyleTask: Task<ReceivedStyle, ContentDescription> = {
  module,
  name: 'describeStyle',
  work: describeStyle,
};
export const convertStyleTask: Task<Conversion, Uint8Array> = { module, name: 'convertStyle', work: convertStyle };
export const summariseStyleTask: Task<StoredStyle, StyleSummary> = {
  module,
  name: 'summariseStyle',
  work: summariseStyle,
};
export const readStyleTask: Task<StoredStyle, StyledLayerDescriptor | ChunkedValue> = {
  module,
  name: 'readStyleInChunks',
  work: readStyleInChunks,
};
export const writeMbLayersTask: Task<
  { readonly style: StoredStyle; readonly request: MbLayersRequest },
  MbLayersText | undefined
> = { module, name: 'writeMbLayers', work: writeMbLayers };
export const joinStylesTask: Task<JoinedStyles, string> = { module, name: 'joinStyles', work: joinStyles };
export const checkGraphicsTask: Task<StoredStyle, readonly GraphicFault[]> = {
  module,
  name: 'checkGraphics',
  work: checkGraphics,
};
export const drawStyleTask: Task<LegendDrawing, DrawnLegend> = { module, name: 'drawStyle', work: drawStyle };
export const checkImageTask: Task<{ readonly name: string; readonly bytes: Uint8Array }, string | undefined> = {
  module,
  name: 'checkPackagedImage',
  work: checkPackagedImage,
};

export const describeFontTask: Task<{ readonly name: string; readonly bytes: Uint8Array }, MeasuredFont> = {
  module,
  name: 'describeFontFile',
  work: describeFontFile,
};

/** A model takes ten to thirty times the size of its style. */
const MAX_REMEMBERED_BYTES = 2_097_152;

/**
 * The models of recently read styles, by a hash of their bytes: clients usually view a style after sending it. Each
 * thread has a separate cache; a model never leaves its thread, because copying it would take as long as reading it.
 */
const models = createLruCache<StyleContent>(MAX_REMEMBERED_BYTES);

export function describeStyle(sent: ReceivedStyle): ContentDescription {
  if ('unchecked' in sent) {
    return describeUnchecked(sent.bytes, sent.unchecked);
  }
  const { bytes, expected } = sent;
  const content = readContent(bytes, expected);
  models.set(computeContentKey(bytes, content.format.language, content.charset), content, bytes.length);
  return describeContent(content);
}

export function convertStyle({ style, to }: Conversion): Uint8Array {
  return Buffer.from(convertContent(readStoredContent(style), to));
}

export function summariseStyle(style: StoredStyle): StyleSummary {
  return summariseContent(readStoredContent(style).model);
}

/** Frozen, unless it comes from a worker. */
export function readStyle(style: StoredStyle): StyledLayerDescriptor {
  return readStoredContent(style).model;
}

/** Returns the model in chunks if it is large, so that the thread of all requests reads it in steps. */
export async function readStyleInChunks(style: StoredStyle): Promise<StyledLayerDescriptor | ChunkedValue> {
  const model = readStyle(style);
  return (await splitIntoChunks(model)) ?? model;
}

/** Returns undefined if the document contains no style. */
export function writeMbLayers({
  style,
  request,
}: {
  readonly style: StoredStyle;
  readonly request: MbLayersRequest;
}): MbLayersText | undefined {
  const model = findUserStyle(readStoredContent(style).model, request.layerNames);
  if (model === undefined) return undefined;
  const { layers, losses } = writeStyleLayers(model, request.source, request.prefix);
  return { layers: layers.map((layer) => JSON.stringify(layer)).join(','), losses };
}

export function joinStyles({ layers, version }: JoinedStyles): string {
  const model: StyledLayerDescriptor = { kind: 'styledLayerDescriptor', layers: layers.map(joinLayerStyles) };
  if (version !== undefined) return writeSld(model, version);
  try {
    return writeSld(model, '1.0.0');
  } catch (error) {
    if (error instanceof Problem && error.code === 'style-not-convertible') return writeSld(model, '1.1.0');
    throw error;
  }
}

function joinLayerStyles({ name, layerNames, styles }: JoinedLayer): NamedLayer {
  const found = styles.flatMap(({ style, isDefault }): readonly UserStyle[] => {
    const model = findUserStyle(readStoredContent(style).model, layerNames);
    return model === undefined ? [] : [{ ...hideAddresses(model), name: style.name, isDefault }];
  });
  return { kind: 'namedLayer', name, styles: found };
}

/** Removes secrets from the addresses of pictures: everyone who sees a layer can read its styles. */
function hideAddresses<T extends object>(part: T): T {
  if ('kind' in part && part.kind === 'online' && 'href' in part && typeof part.href === 'string')
    return { ...part, href: hideSecrets(part.href) };
  return replaceInnerParts(part, hideAddresses);
}

export function checkGraphics(style: StoredStyle): readonly GraphicFault[] {
  return listInlineGraphicFaults(readStoredContent(style).model);
}

export async function drawStyle({ style, request, graphics }: LegendDrawing): Promise<DrawnLegend> {
  await useUploadedFonts(request.fonts);
  const { model } = readStoredContent(style);
  const needs = graphics === undefined ? await listLegendGraphics(model, request) : [];
  if (needs.length > 0) {
    return { needs };
  }
  return { picture: await drawLegend(model, request, async (href) => graphics?.get(href)) };
}

export async function checkPackagedImage(image: {
  readonly name: string;
  readonly bytes: Uint8Array;
}): Promise<string | undefined> {
  if (isFontName(image.name)) return checkFont(image.name, image.bytes);
  return checkImage(image.name, image.bytes);
}

export async function describeFontFile(font: {
  readonly name: string;
  readonly bytes: Uint8Array;
}): Promise<MeasuredFont> {
  return readFont(font.name, font.bytes);
}

/** Throws a 406 for a style that was stored unchecked and is unreadable. */
function readStoredContent({ name, bytes, language, charset }: StoredStyle): StyleContent {
  const key = computeContentKey(bytes, language, charset ?? undefined);
  const known = models.get(key);
  if (known !== undefined) {
    return known;
  }
  try {
    const content = readContent(bytes, { language, ...(charset === null ? {} : { charset }) });
    models.set(key, content, bytes.length);
    return content;
  } catch (error) {
    if (error instanceof Problem) {
      throw problem('style-unreadable', { name, reason: error.message });
    }
    throw error;
  }
}

function computeContentKey(bytes: Uint8Array, language: StyleLanguage, charset: string | undefined): string {
  return `${language} ${charset ?? ''} ${hash('sha256', bytes, 'base64')}`;
}
