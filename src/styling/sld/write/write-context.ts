/** What every writing function needs to know, and where it reports what the version cannot say. */
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

  /** The name of an element that Symbology Encoding took out of SLD. */
  toSymbolName(name: string): string {
    return this.isSymbologyEncoding ? `se:${name}` : name;
  }

  /** Writes something while complaints name the place they are about, such as `Rule[2]`. */
  runInside<T>(place: string, write: () => T): T {
    this.#path.push(place);
    try {
      return write();
    } finally {
      this.#path.pop();
    }
  }

  /** Notes that something cannot be written in this version. */
  reportLoss(what: string): void {
    const field = ['StyledLayerDescriptor', ...this.#path].join('/');
    this.losses.push({ field, message: `SLD ${this.version} cannot express ${what}` });
  }
}
