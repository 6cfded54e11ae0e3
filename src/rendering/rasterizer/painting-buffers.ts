/** The memory that one map after the other is painted in: to get it anew for each takes as long as a small map. */

import { Picture } from './picture.ts';
import { ScanlineRasterizer } from './scanline-rasterizer.ts';

/** Room for larger pictures is let go of. */
const MAX_KEPT_PIXELS = 2_097_152;

/** For one map at a time. */
export class PaintingBuffers {
  #picture: Picture | undefined;
  #coverage: ScanlineRasterizer | undefined;

  /** A picture and a coverage with nothing in them, which nobody else has; they are kept by giving them back. */
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

  /** Only when all was painted: the coverage of what was interrupted is not empty. */
  release(picture: Picture, coverage: ScanlineRasterizer): void {
    if (picture.width * picture.height > MAX_KEPT_PIXELS) return;
    this.#picture = picture;
    this.#coverage = coverage;
  }
}
