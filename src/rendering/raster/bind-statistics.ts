/** Replaces calls of `gridCoverageStats` and `bandStats` in the style of a coverage by statistics of its cells. */
import { readEcqlExpression, writeEcqlExpression } from '../../filter/ecql/ecql.ts';
import { evaluateExpression, isStatistics, toNumber, toText } from '../../filter/evaluate/evaluate.ts';
import type { Expression, FunctionCall } from '../../filter/model/expression.ts';
import { hasInnerPart, replaceInnerParts } from '../../filter/model/inner-parts.ts';
import { createLiteral } from '../../filter/model/literal.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { type Problem, problem } from '../../lib/problems/problem.ts';
import { excerpt } from '../../lib/text/excerpt.ts';
import type { EmbeddedExpression, UserStyle } from '../../styling/model/model.ts';
import type { CoverageLayer, DrawnCoverage } from '../request/map-request.ts';

/** More cells would hardly change the result, and delay each map. */
const MAX_CELLS = 250_000;

const statisticNames = ['minimum', 'maximum', 'mean', 'stddev'] as const;

type StatisticName = (typeof statisticNames)[number];
type Statistics = Readonly<Record<StatisticName, number>>;

/** The number of bands whose statistics are kept. Each takes about 300 bytes. */
const MAX_KEPT = 10_000;

const kept = createLruCache<Statistics>(MAX_KEPT);

/** A style is visited once, because it can have many parts. */
const users = new WeakMap<UserStyle, boolean>();

/** Returns the same layer if its style has no such calls. Throws a Problem for invalid arguments. */
export async function bindStatistics(layer: CoverageLayer, signal: AbortSignal): Promise<CoverageLayer> {
  const { style, source } = layer;
  const isUser = users.get(style) ?? hasCall(style);
  users.set(style, isUser);
  if (!isUser) return layer;
  const calls: FunctionCall[] = [];
  replaceCalls(style, (call) => {
    calls.push(call);
    return call;
  });
  const values = new Map<number, Statistics>();
  for (const band of new Set(calls.map((call) => readBand(call, source))))
    values.set(band, await findStatistics(source, band, signal));
  const bound = replaceCalls(style, (call) => {
    const value = values.get(readBand(call, source))?.[readStatistic(call)];
    return createLiteral(String(value));
  });
  return { ...layer, style: bound as UserStyle };
}

function hasCall(part: object): boolean {
  return isStatistics(part) || isEmbeddedCall(part) || hasInnerPart(part, hasCall);
}

/** Colour maps contain expressions as text. */
function isEmbeddedCall(part: object): part is EmbeddedExpression {
  const { kind, text } = part as Partial<EmbeddedExpression>;
  return kind === 'embedded' && /gridcoveragestats|bandstats/i.test(text ?? '');
}

function replaceCalls(part: object, replace: (call: FunctionCall) => Expression): object {
  if (isStatistics(part)) return replace(part as FunctionCall);
  if (!isEmbeddedCall(part)) return replaceInnerParts(part, (inner) => replaceCalls(inner, replace));
  const outcome = readEcqlExpression(part.text.slice('${'.length, -'}'.length));
  if (outcome.kind === 'refused') return part;
  const replaced = replaceCalls(outcome.value, replace) as Expression;
  return { ...part, text: `\${${writeEcqlExpression(replaced)}}` };
}

function readBand(call: FunctionCall, { bands }: DrawnCoverage): number {
  if (call.name.toLowerCase() === 'gridcoveragestats') return 0;
  const [argument] = call.arguments;
  const band = argument && toNumber(evaluateExpression(argument, {}));
  if (band === undefined || bands[band] === undefined)
    throw rejectCall(call, `its first argument must be the index of a band, from 0 to ${bands.length - 1}`);
  return band;
}

function readStatistic(call: FunctionCall): StatisticName {
  const argument = call.arguments[call.name.toLowerCase() === 'bandstats' ? 1 : 0];
  const text = toText((argument && evaluateExpression(argument, {})) ?? null)
    .trim()
    .toLowerCase();
  const found = statisticNames.find((name) => name === text);
  if (found === undefined)
    throw rejectCall(call, `unknown statistic '${excerpt(text)}'; use ${statisticNames.join(', ')}`);
  return found;
}

function rejectCall({ name }: FunctionCall, reason: string): Problem {
  return problem('map-function-invalid', { function: name, reason });
}

/** Data that can change without notice is read for each map. */
async function findStatistics(source: DrawnCoverage, band: number, signal: AbortSignal): Promise<Statistics> {
  const identity = source.identify?.();
  if (identity === undefined) return computeStatistics(source, band, signal);
  const key = `${identity} ${band}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const computed = await computeStatistics(source, band, signal);
  kept.set(key, computed, 1);
  return computed;
}

/** Of stored values, which colour maps use. Cells without data are ignored; without any, the statistics are 0. */
async function computeStatistics(source: DrawnCoverage, band: number, signal: AbortSignal): Promise<Statistics> {
  const { grid } = source.description ?? {};
  if (grid?.bounds === undefined)
    throw problem('map-function-invalid', {
      function: 'gridCoverageStats',
      reason: 'the layer has no cells whose statistics can be computed',
    });
  const reduction = Math.max(1, Math.sqrt((grid.width * grid.height) / MAX_CELLS));
  const target = {
    bounds: grid.bounds,
    width: Math.max(1, Math.round(grid.width / reduction)),
    height: Math.max(1, Math.round(grid.height / reduction)),
  };
  const picture = await source.read({ target, crs: grid.crs, interpolation: 'nearest', bands: [band] }, signal);
  const { samples, mask } = picture?.bands[0] ?? { samples: new Float64Array(), mask: undefined };
  let [count, mean, squares] = [0, 0, 0];
  let [minimum, maximum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let cell = 0; cell < samples.length; cell += 1) {
    const value = Number(samples[cell]);
    if (mask?.[cell] === 0 || Number.isNaN(value)) continue;
    count += 1;
    const difference = value - mean;
    mean += difference / count;
    squares += difference * (value - mean);
    if (value < minimum) minimum = value;
    if (value > maximum) maximum = value;
  }
  if (count === 0) return { minimum: 0, maximum: 0, mean: 0, stddev: 0 };
  return { minimum, maximum, mean, stddev: Math.sqrt(squares / count) };
}
