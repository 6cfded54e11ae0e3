/** A value that its column cannot take; whoever knows the feature makes a problem of it. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}
