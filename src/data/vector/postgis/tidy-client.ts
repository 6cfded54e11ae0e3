/** A client that closes its socket when it cannot log in; the library leaves it open until the server gives up. */
import { Client } from 'pg';

export class TidyClient extends Client {
  override connect(): Promise<Client>;
  override connect(callback: (error: Error | null) => void): void;
  override connect(callback?: (error: Error | null) => void): Promise<Client> | undefined {
    const connecting = super.connect().catch((error: unknown) => {
      this.on('error', () => undefined);
      void this.end().catch(() => undefined);
      throw error;
    });
    if (callback === undefined) return connecting;
    connecting.then(() => callback(null), callback);
    return undefined;
  }
}
