/** Starts the proxies of deploy/proxy as private processes in front of nodes. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../support/services/free-port.ts';
import { tools } from '../support/tools.ts';
import { projectFolder, type ServerProcess, spawnServer } from './server-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

export type ProxyName = 'nginx' | 'caddy';

export interface StartedProxy {
  readonly process: ServerProcess;
  readonly httpPort: number;
  readonly httpsPort: number;
}

/** Replaces only addresses, ports and the paths of the certificate; everything else is the file of the repository. */
export async function startProxy(name: ProxyName, nodePorts: readonly [number, number]): Promise<StartedProxy> {
  const folder = await temporaryFolder();
  const certificate = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await copyFile(join(projectFolder, 'test/fixtures/tls/first.cert.pem'), certificate.cert);
  await copyFile(join(projectFolder, 'test/fixtures/tls/first.key.pem'), certificate.key);
  const [httpPort, httpsPort] = [await freePort('127.0.0.1'), await freePort('127.0.0.1')];
  const options = { folder, httpPort, httpsPort };
  const file = join(projectFolder, 'deploy/proxy', name === 'nginx' ? 'nginx.conf' : 'Caddyfile');
  const written = (await readFile(file, 'utf8'))
    .replaceAll('127.0.0.1:8081', `127.0.0.1:${nodePorts[0]}`)
    .replaceAll('127.0.0.1:8082', `127.0.0.1:${nodePorts[1]}`)
    .replaceAll('/etc/ssl/maps.example.org.cert.pem', certificate.cert)
    .replaceAll('/etc/ssl/maps.example.org.key.pem', certificate.key);
  const process = name === 'nginx' ? await startNginx(written, options) : await startCaddy(written, options);
  return { process, httpPort, httpsPort };
}

interface ProxyOptions {
  readonly folder: string;
  readonly httpPort: number;
  readonly httpsPort: number;
}

async function startNginx(site: string, { folder, httpPort, httpsPort }: ProxyOptions): Promise<ServerProcess> {
  await writeFile(
    join(folder, 'site.conf'),
    site
      .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${httpsPort} ssl`),
  );
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((each) => `${each}_temp_path ${each};`);
  await writeFile(
    join(folder, 'nginx.conf'),
    [
      'daemon off; pid nginx.pid; error_log stderr warn;',
      // Otherwise its workers run as another user, who cannot read the folder.
      ...(process.getuid?.() === 0 ? ['user root;'] : []),
      'events {}',
      `http { access_log off; ${temporary.join(' ')} include site.conf; }`,
    ].join('\n'),
  );
  return spawnServer({
    command: [tools.nginx.find() ?? 'nginx', '-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'],
  });
}

async function startCaddy(site: string, { folder, httpPort, httpsPort }: ProxyOptions): Promise<ServerProcess> {
  const globals = `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${httpPort}\n\thttps_port ${httpsPort}\n}\n`;
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `${globals}${site.replace('# tls ', 'tls ')}`);
  return spawnServer({
    command: [tools.caddy.find() ?? 'caddy', 'run', '--config', file, '--adapter', 'caddyfile'],
    environment: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder },
  });
}
