/** Reuses the memory for painting: allocating it for each map takes as long as a small map. */

import { Picture } from './picture.ts';
import { ScanlineRasterizer } from './scanline-rasterizer.ts';

/** Larger buffers are not retained. */
const MAX_KEPT_PIXELS = 2_097_152;

/** Serves one map at a time. */
export class PaintingBuffers {
  #picture: Picture | undefined;
  #coverage: ScanlineRasterizer | undefined;

  /** Returns an empty picture and coverage buffer for exclusive use. `release` returns them for reuse. */
  acquire(width: number, height: number): { readonly picture: Picture; readonly coverage: ScanlineRasterizer } {
    const [picture, coverage] = [this.#picture, this.#coverage];
    this.#picture = undefined;
    this.#coverage = undefined;
    if (picture?.width !== width || picture.height !== height || coverage === undefined) {
      return { picture: new Picture(width, height), coverage: new ScanlineRasterizer(width, height) };
    }
    picture.pixels.fill(0);
    return { picture, coverage };
  }

  /** Call it only after painting is complete: an interrupted coverage buffer is not empty. */
  release(picture: Picture, coverage: ScanlineRasterizer): void {
    if (picture.width * picture.height > MAX_KEPT_PIXELS) return;
    this.#picture = picture;
    this.#coverage = coverage;
  }
}
