/** Finds reference systems and times in capabilities of WMS. */

export interface LayerCapabilities {
  /** Codes such as EPSG:4326; at most the first hundred. */
  readonly systems: readonly string[];
  /** Distinct times in order; empty without a dimension. */
  readonly times: readonly string[];
  /** The time of maps without one; empty without a dimension. */
  readonly defaultTime: string;
}

const MAX_SYSTEMS = 100;

/** More steps than this are shown by even samples. */
const MAX_TIMES = 1_000;

export function parseCapabilities(text: string): LayerCapabilities {
  const layer = text.slice(text.lastIndexOf('<Layer'));
  const systems = [...layer.matchAll(/<CRS>([^<]+)<\/CRS>/g)].map(([, code = '']) => code);
  const [, attributes = '', dimension = ''] = /<Dimension name="time"([^>]*)>([^<]*)</.exec(layer) ?? [];
  return {
    systems: [...new Set(systems)].filter((code) => /^[A-Z]+:\d+$/.test(code)).slice(0, MAX_SYSTEMS),
    times: parseTimes(dimension),
    defaultTime: /\bdefault="([^"]*)"/.exec(attributes)?.[1] ?? '',
  };
}

/** A list of times, or of intervals with a period. */
export function parseTimes(text: string): readonly string[] {
  const items = text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
  return items.flatMap((item) => {
    const [start = '', end, period = ''] = item.split('/');
    return end === undefined ? [start] : listSteps(start, end, period);
  });
}

function listSteps(start: string, end: string, period: string): readonly string[] {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  if (Number.isNaN(from) || Number.isNaN(to) || to <= from) return [start];
  const parsed = parsePeriodMs(period);
  const stepMs = parsed > 0 && (to - from) / parsed <= MAX_TIMES ? parsed : (to - from) / 100;
  const count = Math.floor((to - from) / stepMs) + 1;
  return Array.from({ length: count }, (_, index) => new Date(Math.round(from + index * stepMs)).toISOString());
}

const DAY_MS = 86_400_000;

/** Months and years by their mean length. */
function parsePeriodMs(period: string): number {
  const [, years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (
    /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/.exec(period) ?? []
  ).map((part) => Number(part ?? 0));
  return (
    years * 365.25 * DAY_MS +
    months * 30.4375 * DAY_MS +
    days * DAY_MS +
    hours * 3_600_000 +
    minutes * 60_000 +
    seconds * 1_000
  );
}
