/** Compares the capabilities of one service of both servers. */
import type { Detail } from '../model/report.ts';
import type { GeographicBox, PublishedLayer, ServiceCapabilities } from './published-layer.ts';

export interface ServiceComparison {
  /** Differences of the service, and those that all common layers share. */
  readonly details: readonly Detail[];
  /** Differences by the name of the layer. */
  readonly layers: ReadonlyMap<string, readonly Detail[]>;
}

const BOX_TOLERANCE_DEGREES = 1e-6;

/** Longer lists are shortened in messages. */
const MAX_NAMES = 10;

/** Compares the layers that `isWanted` accepts. */
export function compareService(
  old: ServiceCapabilities,
  renewed: ServiceCapabilities,
  isWanted: (name: string) => boolean,
): ServiceComparison {
  const { service } = old;
  const names = [...old.layers.keys()].filter(isWanted);
  const shared = findSharedCrs(
    names.filter((name) => renewed.layers.has(name)),
    old,
    renewed,
  );
  const details = [
    ...describeMissingFormats(old.formats, renewed.formats),
    ...describeCrsChange(subtract(old.crs, renewed.crs), subtract(renewed.crs, old.crs)),
    ...describeCrsChange([...shared.missing], [...shared.extra]).map(({ code, message }) => ({
      code,
      message: `All layers: ${message}`,
    })),
  ].map((each): Detail => ({ check: 'capabilities', service, ...each }));
  const layers = new Map<string, readonly Detail[]>();
  const add = (name: string, found: readonly Difference[]) => {
    layers.set(
      name,
      found.map((each) => ({ check: 'capabilities', service, ...each })),
    );
  };
  for (const name of names) {
    const [before, after] = [old.layers.get(name), renewed.layers.get(name)];
    if (before === undefined) continue;
    add(name, after === undefined ? [missingLayer] : compareLayer(before, after, shared));
  }
  for (const name of renewed.layers.keys()) {
    if (isWanted(name) && !old.layers.has(name)) add(name, [extraLayer]);
  }
  return { details, layers };
}

type Difference = Pick<Detail, 'code' | 'message'>;

const missingLayer: Difference = { code: 'layer-missing', message: 'The new server does not list the layer.' };
const extraLayer: Difference = { code: 'layer-extra', message: 'Only the new server lists the layer.' };

/** CRSs that all common layers lack or have in addition. */
interface SharedCrs {
  readonly missing: ReadonlySet<string>;
  readonly extra: ReadonlySet<string>;
}

/** Servers offer lists of CRSs for all layers. One different list is one difference, not one for each layer. */
function findSharedCrs(
  names: readonly string[],
  { layers: old }: ServiceCapabilities,
  { layers: renewed }: ServiceCapabilities,
): SharedCrs {
  // One layer has nothing to share.
  const [first, ...others] = names.length < 2 ? [] : names;
  const lost = (name: string) => subtract(old.get(name)?.crs ?? [], renewed.get(name)?.crs ?? noNames);
  const added = (name: string) => subtract(renewed.get(name)?.crs ?? [], old.get(name)?.crs ?? noNames);
  let missing: ReadonlySet<string> = new Set(first === undefined ? [] : lost(first));
  let extra: ReadonlySet<string> = new Set(first === undefined ? [] : added(first));
  for (const name of others) {
    if (missing.size + extra.size === 0) break;
    missing = intersect(missing, new Set(lost(name)));
    extra = intersect(extra, new Set(added(name)));
  }
  return { missing, extra };
}

const noNames: ReadonlySet<string> = new Set();

function compareLayer(old: PublishedLayer, renewed: PublishedLayer, shared: SharedCrs): readonly Difference[] {
  const differences: Difference[] = [];
  if (old.title !== renewed.title) {
    differences.push({ code: 'title-differs', message: `Title: old '${old.title}', new '${renewed.title}'.` });
  }
  differences.push(...compareStyles(old.styles, renewed.styles));
  const missing = subtract(old.crs, renewed.crs).filter((each) => !shared.missing.has(each));
  const extra = subtract(renewed.crs, old.crs).filter((each) => !shared.extra.has(each));
  differences.push(...describeCrsChange(missing, extra));
  if (old.defaultCrs !== renewed.defaultCrs) {
    const message = `Default CRS: old ${old.defaultCrs ?? 'none'}, new ${renewed.defaultCrs ?? 'none'}.`;
    differences.push({ code: 'crs-differs', message });
  }
  if (!hasSameBox(old.box, renewed.box)) {
    const message = `Box in degrees: old ${formatBox(old.box)}, new ${formatBox(renewed.box)}.`;
    differences.push({ code: 'box-differs', message });
  }
  differences.push(...describeMissingFormats(old.formats, renewed.formats));
  return differences;
}

function compareStyles(old: readonly string[], renewed: readonly string[]): readonly Difference[] {
  const missing = subtract(old, new Set(renewed));
  const extra = subtract(renewed, new Set(old));
  if (missing.length + extra.length > 0) {
    const message = `Styles: ${describeChange(missing, extra)}.`;
    return [{ code: 'style-differs', message }];
  }
  if (old[0] === renewed[0]) return [];
  return [{ code: 'style-differs', message: `Default style: old '${old[0] ?? ''}', new '${renewed[0] ?? ''}'.` }];
}

function describeMissingFormats(old: ReadonlySet<string>, renewed: ReadonlySet<string>): readonly Difference[] {
  const missing = subtract(old, renewed);
  return missing.length === 0 ? [] : [{ code: 'format-missing', message: `Missing formats: ${listNames(missing)}.` }];
}

function describeCrsChange(missing: readonly string[], extra: readonly string[]): readonly Difference[] {
  if (missing.length + extra.length === 0) return [];
  return [{ code: 'crs-differs', message: `Reference systems or grids: ${describeChange(missing, extra)}.` }];
}

function describeChange(missing: readonly string[], extra: readonly string[]): string {
  const parts = [
    ...(missing.length === 0 ? [] : [`missing ${listNames(missing)}`]),
    ...(extra.length === 0 ? [] : [`additional ${listNames(extra)}`]),
  ];
  return parts.join('; ');
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}

function subtract(names: Iterable<string>, others: ReadonlySet<string>): readonly string[] {
  return [...names].filter((name) => !others.has(name));
}

function intersect(names: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...names].filter((name) => others.has(name)));
}

const sides = ['west', 'south', 'east', 'north'] as const;

function hasSameBox(old: GeographicBox | undefined, renewed: GeographicBox | undefined): boolean {
  if (old === undefined || renewed === undefined) return old === renewed;
  return sides.every((side) => Math.abs(old[side] - renewed[side]) <= BOX_TOLERANCE_DEGREES);
}

function formatBox(box: GeographicBox | undefined): string {
  return box === undefined ? 'none' : sides.map((side) => box[side]).join(' ');
}
