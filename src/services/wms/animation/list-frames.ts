/** Lists the maps of an animation: one for each requested time. */
import { readDimension } from '../../maps/dimensions/dimension-values.ts';
import { createDimensionRecorder } from '../capabilities/list-dimensions.ts';
import type { WmsContext } from '../context/context.ts';
import { resolveMapLayers } from '../map/map-layers.ts';
import type { RequestedMap } from '../request/request.ts';

const TIME = 'time';

/** A map without times has one frame. */
export async function listTimeFrames(context: WmsContext, map: RequestedMap): Promise<readonly RequestedMap[]> {
  const text = map.dimensions.get(TIME);
  if (text === undefined) return [map];
  const { maxFrames } = context.settings;
  const ranges = readDimension({ name: TIME, kind: 'time' }, text, { maxValues: maxFrames, now: context.now() });
  if (ranges === 'default') return [map];
  const times: string[] = [];
  for (const { from, to } of ranges) {
    if (from === to) times.push(from);
    else times.push(...(await listTimesBetween(context, map, from, to)));
  }
  return times.map((time) => ({ ...map, dimensions: new Map([...map.dimensions, [TIME, time]]) }));
}

/** Returns the times of the first layer that lists them, or the whole range if none does. */
async function listTimesBetween(
  context: WmsContext,
  map: RequestedMap,
  from: string,
  to: string,
): Promise<readonly string[]> {
  const recorder = createDimensionRecorder(context);
  const [start, end] = [Date.parse(from), Date.parse(to)];
  for (const { layers } of await resolveMapLayers(context, map)) {
    for (const { layer } of layers) {
      const time = (await recorder.list(layer)).find(({ name }) => name === TIME);
      if (time === undefined || time.values === '' || time.values.includes('/')) continue;
      const inside = time.values.split(',').filter((each) => Date.parse(each) >= start && Date.parse(each) <= end);
      if (inside.length > 0) return inside;
    }
  }
  return [`${from}/${to}`];
}
