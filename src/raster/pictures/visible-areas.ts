/** Limits pictures to areas: everything outside has no data. Runs in threads, because areas can have many vertices. */
import { parseCrsCode } from '../../crs/model/crs-code.ts';
import { decodeWkt } from '../../geometry/wkt-decode.ts';
import type { WrittenArea } from '../../geometry/written-area.ts';
import { createLruCache } from '../../lib/cache/lru-cache.ts';
import { Problem } from '../../lib/problems/problem.ts';
import type { Task } from '../../workers/task.ts';
import type { Band } from '../port/port.ts';
import type { MutableBand } from '../warp/picture-buffer.ts';
import type { WarpRequest } from '../warp/read-warped.ts';
import { createOutlineTest, type FileOutline } from './outline-pixels.ts';

type Frame = Pick<WarpRequest, 'target' | 'crs'>;

/** Masked samples are also overwritten, because some formats have no mask. */
export async function hideOutside(
  { bands, described }: { readonly bands: readonly MutableBand[]; readonly described: readonly Band[] },
  frame: Frame,
  areas: readonly WrittenArea[],
): Promise<void> {
  const isVisible = await createVisibilityTest(frame, areas);
  const { width, height } = frame.target;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (isVisible(pixel)) continue;
    for (const [index, { samples, mask }] of bands.entries()) {
      const empty = samples instanceof BigInt64Array || samples instanceof BigUint64Array ? 0n : 0;
      mask[pixel] = 0;
      // The value has the type of the samples.
      samples[pixel] = (described[index]?.noData ?? empty) as never;
    }
  }
}

export interface AreaQuestion {
  readonly frame: Frame;
  readonly areas: readonly WrittenArea[];
}

export const findingVisiblePixel: Task<AreaQuestion, boolean> = {
  module: import.meta.url,
  name: 'hasVisiblePixel',
  work: hasVisiblePixel,
};

/** Returns whether one of the pixels is inside an area. */
export async function hasVisiblePixel({ frame, areas }: AreaQuestion): Promise<boolean> {
  const isVisible = await createVisibilityTest(frame, areas);
  const { width, height } = frame.target;
  for (let pixel = 0; pixel < width * height; pixel += 1) if (isVisible(pixel)) return true;
  return false;
}

/** Returns whether the centre of a pixel is inside an area. */
export async function createVisibilityTest(
  frame: Frame,
  areas: readonly WrittenArea[],
): Promise<(pixel: number) => boolean> {
  const tests = await Promise.all(
    areas.map((area) =>
      createOutlineTest(frame, readOutline(area)).catch((error: unknown) => {
        // An area that has no place in the picture shows nothing of it.
        if (error instanceof Problem) return undefined;
        throw error;
      }),
    ),
  );
  return (pixel) => tests.some((isInside) => isInside?.(pixel));
}

/** Tiles of a map have the same areas. */
const outlines = createLruCache<FileOutline>(8 * 1_048_576);

function readOutline({ geometry, crs }: WrittenArea): FileOutline {
  const key = `${crs} ${geometry}`;
  // The short code has the axis order of areas: x before y.
  const outline = outlines.get(key) ?? { geometry: decodeWkt(geometry), crs: { code: parseCrsCode(crs) ?? crs } };
  outlines.set(key, outline, key.length);
  return outline;
}
