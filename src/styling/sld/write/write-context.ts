/** The context of all writing functions, which collects what the version cannot express. */
import type { FieldError } from '../../../lib/problems/problem.ts';
import type { SldVersion } from '../document/sld-version.ts';

export class SldWriteContext {
  readonly version: SldVersion;
  readonly losses: FieldError[] = [];
  readonly #path: string[] = [];

  constructor(version: SldVersion) {
    this.version = version;
  }

  get isSymbologyEncoding(): boolean {
    return this.version === '1.1.0';
  }

  /** Returns the qualified name of an element that moved from SLD to Symbology Encoding. */
  toSymbolName(name: string): string {
    return this.isSymbologyEncoding ? `se:${name}` : name;
  }

  /** Runs a function with a path component for error messages, such as `Rule[2]`. */
  runInside<T>(place: string, write: () => T): T {
    this.#path.push(place);
    try {
      return write();
    } finally {
      this.#path.pop();
    }
  }

  /** Reports that the version cannot express something. */
  reportLoss(what: string): void {
    const field = ['StyledLayerDescriptor', ...this.#path].join('/');
    this.losses.push({ field, message: `SLD ${this.version} cannot express ${what}` });
  }
}
