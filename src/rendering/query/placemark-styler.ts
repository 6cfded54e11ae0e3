/** Translates the style of each feature to the subset that KML supports. */
import type { KmlColor, PlacemarkStyle } from '../../formats/port/placemark-style.ts';
import { yieldIfDue } from '../../lib/async/yield-if-due.ts';
import type { Rgb } from '../../lib/values/parse-color.ts';
import { black, gray, sampleColor } from '../../styling/legend/values/color.ts';
import { readPenPixels, readPixels } from '../../styling/legend/values/lengths.ts';
import { sampleNumber, sampleOpacity, sampleValue } from '../../styling/legend/values/sample-value.ts';
import type { Graphic, Rule, Symbolizer } from '../../styling/model/model.ts';
import type { Feature, FeatureTypeDescription } from '../../vector/port/port.ts';
import { packFeatures } from '../../vector/support/pack-features.ts';
import { findPackedColumns } from '../layers/vector-layer.ts';
import type { VectorLayer } from '../request/map-request.ts';
import type { MapSettings } from '../request/map-settings.ts';
import { bindFeature, findGeometryUses, loadStyleFunctions } from '../rules/bind-style.ts';
import { FeatureCursor } from '../rules/feature-cursor.ts';
import { type CompiledRule, collectRules, compileGroup } from '../rules/rule-choice.ts';
import { resolveSpatialConditions, startSpatialTests } from '../rules/spatial-conditions.ts';
import { listPlanRules, planStyle } from '../rules/style-plan.ts';

/** Returns the address of the icon of a rule; undefined if it has none. */
export type IconResolver = (rule: Rule) => string | undefined;

/** Returns a style for each feature; undefined for features that no rule draws. */
export type PlacemarkStyler = (features: readonly Feature[]) => Promise<readonly (PlacemarkStyle | undefined)[]>;

/** `description` describes the features. */
export async function createPlacemarkStyler(
  layer: VectorLayer,
  description: FeatureTypeDescription,
  settings: MapSettings,
  { iconOf, signal }: { readonly iconOf: IconResolver; readonly signal: AbortSignal },
): Promise<PlacemarkStyler> {
  const plan = await planStyle(layer.style, layer.source.description, settings);
  const shown = { ...layer.source, description };
  const inPlace = await startSpatialTests(
    await resolveSpatialConditions(listPlanRules(plan), shown, signal),
    shown,
    signal,
  );
  await loadStyleFunctions(listPlanRules(plan));
  const groups = plan.groups.map((group) => {
    const ruleOf = new Map(group.rules.flatMap((rule) => rule.symbolizers.map((each) => [each, rule] as const)));
    return compileGroup(group, inPlace.tests, (symbolizer) => ({ symbolizer, rule: ruleOf.get(symbolizer) }));
  });
  const columns = findPackedColumns(description, plan);
  const usesGeometry = listPlanRules(plan).some((rule) => findGeometryUses(rule).size > 0);
  const places = usesGeometry ? columns : { ...columns, geometries: [] };
  const cursor = new FeatureCursor(plan);
  const rules: CompiledRule<{ readonly symbolizer: Symbolizer; readonly rule: Rule | undefined }>[] = [];
  return async (features) => {
    await inPlace.load(features);
    const batch = packFeatures(features, places);
    const looks: (PlacemarkStyle | undefined)[] = [];
    for (let index = 0; index < features.length; index += 1) {
      const others = yieldIfDue();
      if (others !== undefined) await others;
      signal.throwIfAborted();
      cursor.moveTo(batch, index);
      let look: PlacemarkStyle | undefined;
      for (const group of groups) {
        collectRules(group, cursor, rules);
        for (const { symbolizer, rule } of rules.flatMap(({ painters }) => painters)) {
          const part = toPlacemarkStyle(bindFeature(symbolizer, cursor.values()), settings, rule && iconOf(rule));
          // KML has one style of each kind, so the last symbolizer wins.
          look = { ...look, ...part };
        }
      }
      looks.push(look);
    }
    return looks;
  };
}

function toPlacemarkStyle(
  symbolizer: Symbolizer,
  { getLengths: lengthsFor }: MapSettings,
  href: string | undefined,
): PlacemarkStyle {
  const lengths = lengthsFor(symbolizer);
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
