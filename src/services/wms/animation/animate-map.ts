/** Draws the frames of an animation one after the other, and encodes them as one image. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import { problem } from '../../../lib/problems/problem.ts';
import type { AnimationOptions } from '../../../rendering/output/encode-animation.ts';
import type { Pixels } from '../../../rendering/request/map-request.ts';
import { drawPublished, MAX_MILLISECONDS } from '../../maps/draw-published.ts';
import { readParameter } from '../../ows/service-parameters.ts';
import type { WmsContext } from '../context/context.ts';
import type { AnimatedEncoding } from '../context/map-formats.ts';
import { createDecoratedMap } from '../decorations/create-decorated-map.ts';
import { type MapFrame, resolveMapFrame } from '../map/map-frame.ts';
import { type NamedMap, resolveMapLayers } from '../map/map-layers.ts';
import { resolveColorReduction } from '../map/map-palette.ts';
import { mapFormatOptions } from '../request/parameters.ts';
import type { RequestedMap, WmsVersion } from '../request/request.ts';

export interface Animation {
  readonly version: WmsVersion;
  /** One map for each frame. */
  readonly maps: readonly RequestedMap[];
  readonly encoding: AnimatedEncoding;
}

/** Throws a Problem if the frames exceed the limits or differ in size. */
export async function animateMaps(
  context: WmsContext,
  { version, maps: [first, ...others], encoding }: Animation,
): Promise<Pick<ServiceReply, 'body' | 'isPacked'>> {
  if (first === undefined) throw new Error('An animation without frames was requested.');
  const named = await resolveMapLayers(context, first);
  const drawn = { version, named, frame: await resolveFrame(context, version, first, named), encoding };
  checkLimits(context, drawn.frame, others.length + 1);
  const options = readAnimationOptions(first);
  // Animations need much memory.
  return context.services.styles.render(async () => {
    const frames = await drawFrames(context, [first, ...others], drawn);
    const { encodeAnimation } = await import('../../../rendering/output/encode-animation.ts');
    const body = await encodeAnimation(frames, encoding === 'animated-gif' ? 'gif' : 'webp', options);
    return { body, isPacked: true };
  });
}

async function drawFrames(
  context: WmsContext,
  [first, ...others]: readonly RequestedMap[],
  drawn: DrawnFrame,
): Promise<readonly Pixels[]> {
  if (first === undefined) return [];
  const endsAt = performance.now() + Math.min(context.settings.maxRenderingMs, MAX_MILLISECONDS);
  const pixels = [await drawFrame(context, first, drawn, endsAt)];
  for (const map of others) {
    const named = await resolveMapLayers(context, map);
    const frame = await resolveFrame(context, drawn.version, map, named);
    checkSameSize(drawn.frame, frame);
    pixels.push(await drawFrame(context, map, { ...drawn, named, frame }, endsAt));
  }
  return pixels;
}

function resolveFrame(
  { settings }: WmsContext,
  version: WmsVersion,
  map: RequestedMap,
  named: readonly NamedMap[],
): Promise<MapFrame> {
  return resolveMapFrame(
    version,
    map,
    named.map((each) => each.map),
    settings,
  );
}

/** All frames are in memory at the same time, so that they share the limit of one map. */
function checkLimits({ settings }: WmsContext, { width, height }: MapFrame, frames: number): void {
  const { maxFrames, maxPixels } = settings;
  if (frames > maxFrames || frames * width * height > maxPixels) {
    throw problem('wms-animation-too-large', { frames, width, height, maxFrames, maxPixels, field: 'width' });
  }
}

function checkSameSize(first: MapFrame, { width, height }: MapFrame): void {
  if (width === first.width && height === first.height) return;
  throw problem('ows-option-unsupported', {
    what: `An animation with frames of ${first.width} by ${first.height} and ${width} by ${height} pixels`,
    instead: 'set width and height',
    field: 'width',
  });
}

interface DrawnFrame {
  readonly version: WmsVersion;
  readonly named: readonly NamedMap[];
  readonly frame: MapFrame;
  readonly encoding: AnimatedEncoding;
}

/** The time limit applies to the whole animation. */
async function drawFrame(
  context: WmsContext,
  map: RequestedMap,
  { named, frame, encoding }: DrawnFrame,
  endsAt: number,
): Promise<Pixels> {
  const toDraw = await createDecoratedMap(context, map, named, frame);
  const remaining = endsAt - performance.now();
  if (remaining <= 0) throw problem('map-too-slow', { seconds: MAX_MILLISECONDS / 1_000 });
  const milliseconds = Math.min(remaining, toDraw.milliseconds ?? remaining);
  const colors = await resolveColorReduction(context, map, encoding);
  return drawPublished(context.services, { ...toDraw, ...colors, milliseconds }, context.signal);
}

function readAnimationOptions({ formatOptions, isTransparent }: RequestedMap): AnimationOptions {
  const { loops, framesDelay } = mapFormatOptions.parameters;
  return {
    delayMs: readParameter(formatOptions, framesDelay),
    isRepeated: readParameter(formatOptions, loops),
    isOpaque: !isTransparent,
  };
}
