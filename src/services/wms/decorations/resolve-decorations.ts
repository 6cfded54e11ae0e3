/** Resolves the decorations of a map: those of the requested layout, and the watermark of the settings. */
import { formatByPattern } from '../../../lib/template/built-ins.ts';
import { readTemplate } from '../../../lib/template/read-template.ts';
import { renderTemplate } from '../../../lib/template/render-template.ts';
import { TemplateLimitError } from '../../../lib/template/rendering.ts';
import type { TemplateObject } from '../../../lib/template/template.ts';
import type { DecorationContent, MapDecoration } from '../../../rendering/decorations/decoration.ts';
import { type MapSettings, resolveMapSettings } from '../../../rendering/request/map-settings.ts';
import {
  type DecorationTypeName,
  type OptionsOf,
  readDecorationOptions,
} from '../../../styling/layout/decoration-types.ts';
import { hasTemplate, type LayoutDecoration } from '../../../styling/layout/read-layout.ts';
import { findImageKind } from '../../../styling/legend/images/image-kind.ts';
import type { GraphicLoader } from '../../../styling/legend/images/pictures.ts';
import type { MapToDraw } from '../../maps/draw-published.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import type { WmsContext } from '../context/context.ts';
import { measureMetresAcross } from '../map/map-frame.ts';
import type { NamedMap } from '../map/map-layers.ts';
import { mapFormatOptions } from '../request/parameters.ts';
import type { RequestedMap } from '../request/request.ts';
import { createDecorationLoader, loadLayout } from './load-layout.ts';
import { drawMapLegends } from './map-legends.ts';
import { findNorth } from './north-direction.ts';

export interface DecoratedMap {
  readonly requested: RequestedMap;
  readonly named: readonly NamedMap[];
  readonly drawn: MapToDraw;
}

/** Returns the map with its decorations. */
export async function decorateMap(context: WmsContext, map: DecoratedMap): Promise<MapToDraw> {
  const name = readParameter(map.requested.formatOptions, mapFormatOptions.parameters.layout);
  const { watermark } = context.settings;
  const { decorations: written } = name === undefined ? { decorations: [] } : await loadLayout(context.services, name);
  const hasOwnWatermark = written.some(({ type }) => type === 'watermark');
  const all = watermark.isEnabled && !hasOwnWatermark ? [...written, placeWatermark(watermark.position)] : written;
  const resolver = new DecorationResolver(context, map, await resolveMapSettings({ ...map.drawn, layers: [] }));
  const decorations: MapDecoration[] = [];
  for (const { type, options, ...placement } of all) {
    const content = await resolver.resolve(type, options);
    if (content !== undefined) decorations.push({ ...placement, content });
  }
  return { ...map.drawn, decorations };
}

/** `position` is a word such as `BOT_RIGHT`. */
function placeWatermark(position: string): LayoutDecoration {
  const [vertical = '', horizontal = ''] = position.split('_');
  return {
    type: 'watermark',
    options: new Map(),
    vertical: vertical === 'TOP' ? 'top' : vertical === 'MID' ? 'center' : 'bottom',
    horizontal: horizontal === 'LEFT' ? 'left' : horizontal === 'CENTER' ? 'center' : 'right',
    offset: { x: 0, y: 0 },
    size: undefined,
  };
}

/** The text of one option, from at most 64 KB of a layout and the variables of a request. */
const limits = { maxSteps: 2_000, maxCharacters: 2_000 };

/** About 900 dpi, which is sharper than printers. */
const MAX_LEGEND_DENSITY = 10;

class DecorationResolver {
  readonly #context: WmsContext;
  readonly #map: DecoratedMap;
  readonly #settings: MapSettings;
  readonly #values: TemplateObject;
  readonly #loadGraphic: GraphicLoader;

  constructor(context: WmsContext, map: DecoratedMap, settings: MapSettings) {
    this.#context = context;
    this.#map = map;
    this.#settings = settings;
    const variables = Object.entries(settings.variables);
    this.#values = new Map<string, string | TemplateObject>([...variables, ['env', new Map(variables)]]);
    this.#loadGraphic = createDecorationLoader(context.services);
  }

  /** Returns undefined for a decoration that is not drawn. */
  async resolve(
    type: DecorationTypeName,
    written: ReadonlyMap<string, string>,
  ): Promise<DecorationContent | undefined> {
    const texts = new Map([...written].map(([name, value]) => [name, this.#expand(value)]));
    const read = <N extends DecorationTypeName>(name: N): OptionsOf<N> => readDecorationOptions(name, texts);
    switch (type) {
      case 'image': {
        const { url, opacity } = read(type);
        return this.#createPicture(url, opacity);
      }
      case 'watermark': {
        const { watermark } = this.#context.settings;
        const { opacity } = read(type);
        return this.#createPicture(watermark.url, Number.isNaN(opacity) ? watermark.opacity : opacity);
      }
      case 'text':
        return createText(read(type));
      case 'scaleratio':
        return createScaleRatio(read(type), this.#settings.scaleDenominator);
      case 'scaleline':
        return this.#createScaleLine(read(type));
      case 'legend': {
        const { layers, opacity, bgcolor, transparent } = read(type);
        const { scaleDenominator: scale, symbolFactor } = this.#settings;
        const density = Math.min(Math.max(symbolFactor, 1), MAX_LEGEND_DENSITY);
        const pictures = await drawMapLegends(this.#context, this.#map, layers, { scale, density });
        return { kind: 'pictures', pictures, density, opacity, background: transparent ? undefined : bgcolor };
      }
      case 'northarrow':
      case 'compass': {
        const { fgcolor, bgcolor } = read(type);
        const radians = await findNorth(this.#settings.frame, this.#map.drawn.system);
        const shape = type === 'compass' ? 'compass' : 'arrow';
        return { kind: 'north', shape, radians, color: fgcolor, background: bgcolor };
      }
    }
  }

  #expand(text: string): string {
    if (!hasTemplate(text)) return text;
    try {
      const { text: expanded, undefinedNames } = renderTemplate(readTemplate(text), this.#values, 'text', limits);
      for (const name of undefinedNames) this.#context.warn(`The layout uses '${name}', which has no value.`);
      return expanded;
    } catch (error) {
      if (!(error instanceof TemplateLimitError)) throw error;
      this.#context.warn(`A text of the layout is not drawn: ${error.message}.`);
      return '';
    }
  }

  async #createPicture(url: string, opacity: number): Promise<DecorationContent | undefined> {
    const bytes = url === '' ? undefined : await this.#loadGraphic(url);
    if (bytes !== undefined && findImageKind(bytes) !== undefined) {
      return { kind: 'pictures', pictures: [bytes], opacity, background: undefined };
    }
    this.#map.drawn.onMissingGraphic?.(url);
    return undefined;
  }

  async #createScaleLine(options: OptionsOf<'scaleline'>): Promise<DecorationContent | undefined> {
    const { box, system, width } = this.#map.drawn;
    const metres = await measureMetresAcross(box, system);
    if (metres === undefined) return undefined;
    const { bgcolor, fgcolor, fontsize, transparent, 'measurement-system': units } = options;
    return {
      kind: 'scaleLine',
      metresPerPixel: metres / width,
      hasMetres: units !== 'imperial',
      hasFeet: units !== 'metric',
      fontPixels: fontsize,
      color: fgcolor,
      background: transparent ? undefined : bgcolor,
    };
  }
}

function createText(options: OptionsOf<'text'>): DecorationContent | undefined {
  const { message } = options;
  if (message.trim() === '') return undefined;
  return {
    kind: 'text',
    text: message,
    fontFamily: options['font-family'],
    fontPixels: options['font-size'],
    isBold: options['font-bold'],
    isItalic: options['font-italic'],
    color: options['font-color'],
    haloPixels: options['halo-radius'],
    haloColor: options['halo-color'],
    background: undefined,
  };
}

function createScaleRatio(options: OptionsOf<'scaleratio'>, scaleDenominator: number): DecorationContent {
  return {
    kind: 'text',
    text: `1 : ${formatByPattern(scaleDenominator, options.format)}`,
    fontFamily: 'sans',
    fontPixels: options.fontsize,
    isBold: false,
    isItalic: false,
    color: options.fgcolor,
    haloPixels: 0,
    haloColor: options.bgcolor,
    background: options.transparent ? undefined : options.bgcolor,
  };
}
