/** Reads the address and the credentials of a running source. */
import type { Task } from '../../client/command.ts';
import { MoveInError } from '../report/move-in-error.ts';
import type { SourceAddress } from './source-server.ts';

/** Whether SOURCE is an address and not a path. */
export function isAddress(source: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source);
}

export async function readSourceAddress({ operand, text, world }: Task): Promise<SourceAddress> {
  const url = parseAddress(operand('SOURCE'));
  const [user, file] = [text('source-user'), text('source-password-file')];
  if ((user === undefined) !== (file === undefined)) {
    throw new MoveInError('option-invalid', '--source-user and --source-password-file belong together.');
  }
  if (user === undefined || file === undefined) return { url, login: undefined };
  return { url, login: { user, password: (await world.readFile(file)).toString().replace(/\r?\n$/, '') } };
}

function parseAddress(given: string): URL {
  const url = URL.parse(given);
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new MoveInError(
      'option-invalid',
      'SOURCE contains credentials, which other users of the machine can read. Use --source-user and --source-password-file.',
    );
  }
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new MoveInError(
      'option-invalid',
      `Invalid SOURCE '${given.replace(/[?#].*$/s, '')}'. Use a directory, a ZIP archive, or the http or https address of a GeoServer, such as https://old.example/geoserver.`,
    );
  }
  // The addresses of the REST interface and of the web interface, which users copy.
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/(?:rest|web)$/, '');
  return url;
}
