/** A part of the server that an administrator can look up: what it is, and whether it works right now. */

export interface ServerModule {
  /** The short name: `graticule-catalog`. */
  readonly module: string;
  /** What people call it. */
  readonly name: string;
  /** What it does it with, where that is worth a name. */
  readonly component: string;
  /** Nothing works without a core part; everything else works without an extension. */
  readonly kind: 'core' | 'extension';
  readonly version: string;
  readonly enabled: boolean;
  /** Looks whether the part works, and says what it found; throwing means that it does not. */
  readonly check: () => Promise<string>;
}

export interface ModuleStatus extends Omit<ServerModule, 'check'> {
  readonly available: boolean;
  readonly message: string;
}
