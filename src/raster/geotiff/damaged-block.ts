/** Invalid bytes in a block. The caller converts it to a problem that names the file. */
export class DamagedBlock extends Error {
  override readonly name = 'DamagedBlock';
}
