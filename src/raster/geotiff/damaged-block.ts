/** Bytes of a block that make no sense; whoever knows the file makes a problem of it. */
export class DamagedBlock extends Error {
  override readonly name = 'DamagedBlock';
}
