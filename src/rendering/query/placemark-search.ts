/** Translates the style of each feature of a batch to the subset that KML supports. */
import type { KmlColor, PlacemarkStyle } from '../../formats/port/placemark-style.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Rgb } from '../../lib/values/parse-color.ts';
import { black, gray, sampleColor } from '../../styling/legend/values/color.ts';
import { type Lengths, readPenPixels, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber, sampleOpacity, sampleValue } from '../../styling/legend/values/sample-value.ts';
import type { Graphic, Symbolizer } from '../../styling/model/model.ts';
import { createMapLengths, type MapScale } from '../request/map-settings.ts';
import { bindFeature } from '../rules/bind-style.ts';
import type { StyledLayer } from '../rules/chunked-style.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { type CompiledRule, collectRules } from '../rules/rule-choice.ts';
import { listPlanRules, type StylePlan } from '../rules/style-plan.ts';
import { type BatchSearch, compileGroups, createSearchWork, type SearchBatch } from './batch-search.ts';

export interface PlacemarkSearch extends StyledLayer {
  readonly plan: StylePlan;
  readonly scale: MapScale;
  /** The address of the icon of each rule of the plan; undefined for none. */
  readonly icons: readonly (string | undefined)[];
}

/** Undefined for features that no rule draws. */
export type PlacemarkStyles = readonly (PlacemarkStyle | undefined)[];

export const stylePlacemarks = createSearchWork(openPlacemarkSearch);

export const placemarkSearch: BatchSearch<PlacemarkSearch, PlacemarkStyles> = {
  open: openPlacemarkSearch,
  task: { module: import.meta.url, name: 'stylePlacemarks', work: stylePlacemarks },
};

async function openPlacemarkSearch(query: PlacemarkSearch): Promise<SearchBatch<PlacemarkStyles>> {
  const { plan, spatialConditions, scale, icons } = query;
  const getLengths = createMapLengths(scale);
  const iconOf = new Map(
    listPlanRules(plan).flatMap(({ symbolizers }, index) => symbolizers.map((each) => [each, icons[index]] as const)),
  );
  const groups = await compileGroups(plan, spatialConditions, (symbolizer) => ({
    symbolizer,
    lengths: getLengths(symbolizer),
    href: iconOf.get(symbolizer),
  }));
  const cursor = new FeatureCursor(plan);
  const rules: CompiledRule<{ symbolizer: Symbolizer; lengths: Lengths; href: string | undefined }>[] = [];
  return async (batch, signal) => {
    const looks: (PlacemarkStyle | undefined)[] = [];
    for (let index = 0; index < batch.count; index += 1) {
      const others = yieldIfDue();
      if (others !== undefined) await others;
      signal?.throwIfAborted();
      cursor.moveTo(batch, index);
      let look: PlacemarkStyle | undefined;
      for (const group of groups) {
        collectRules(group, cursor, rules);
        for (const { painters } of rules) {
          for (const { symbolizer, lengths, href } of painters) {
            const part = toPlacemarkStyle(bindFeature(symbolizer, cursor.values()), lengths, href);
            // KML has one style of each kind, so the last symbolizer wins.
            look = { ...look, ...part };
          }
        }
      }
      looks.push(look);
    }
    return looks;
  };
}

function toPlacemarkStyle(symbolizer: Symbolizer, lengths: Lengths, href: string | undefined): PlacemarkStyle {
  switch (symbolizer.kind) {
    case 'pointSymbolizer': {
      const { graphic } = symbolizer;
      if (graphic === undefined) return {};
      const heading = sampleNumber(graphic.rotation, 0) % 360;
      const size = Math.max(1, readPixels(lengths, graphic.size, DEFAULT_ICON_PIXELS));
      const color = href === undefined ? readMarkColor(graphic) : { ...white, opacity: sampleOpacity(graphic.opacity) };
      return { icon: { color, pixels: size, heading, href } };
    }
    case 'lineSymbolizer':
    case 'polygonSymbolizer': {
      const { stroke } = symbolizer;
      const fill = symbolizer.kind === 'polygonSymbolizer' ? symbolizer.fill : undefined;
      return {
        ...(stroke === undefined
          ? {}
          : {
              line: {
                color: toKmlColor(sampleColor(stroke.color, black), sampleOpacity(stroke.opacity)),
                pixels: readPenPixels({ ...lengths, strokeGrowth: 0 }, stroke.width, 1),
              },
            }),
        ...(fill === undefined ? {} : { fill: toKmlColor(sampleColor(fill.color, gray), sampleOpacity(fill.opacity)) }),
      };
    }
    case 'textSymbolizer': {
      const text = String(sampleValue(symbolizer.label) ?? '').trim();
      if (text === '') return {};
      const { fill, font } = symbolizer;
      const color = toKmlColor(sampleColor(fill?.color, black), sampleOpacity(fill?.opacity));
      return { label: { text, color, pixels: readPixels(lengths, font?.size, DEFAULT_FONT_PIXELS) } };
    }
    case 'rasterSymbolizer':
      return {};
  }
}

const DEFAULT_ICON_PIXELS = 16;
const DEFAULT_FONT_PIXELS = 10;

const white = { red: 255, green: 255, blue: 255 };

/** Returns the colour for the default icon: the fill or stroke colour of the mark. */
function readMarkColor({ symbols: [first], opacity }: Graphic): KmlColor {
  const mark = first?.kind === 'mark' ? first : undefined;
  const paint = mark?.fill ?? mark?.stroke;
  const faded = sampleOpacity(paint?.opacity) * sampleOpacity(opacity);
  return toKmlColor(first?.kind === 'externalGraphic' ? [255, 255, 255] : sampleColor(paint?.color, gray), faded);
}

function toKmlColor([red, green, blue]: Rgb, opacity: number): KmlColor {
  return { red, green, blue, opacity };
}
