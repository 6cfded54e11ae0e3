/** The certificate of the server: reads it at the start, and again when its files change. */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type Server as TlsServer } from 'node:tls';
import type { FastifyBaseLogger } from 'fastify';
import type { Certificate } from '../http/tls/secure-connections.ts';
import { SettingError, type Settings } from './settings/settings.ts';

/** Certificates that expire sooner are logged as a warning. */
const EXPIRY_WARNING_DAYS = 14;

const DAY_MS = 86_400_000;

/** Returns undefined if the server does not use TLS. */
export async function readCertificate({
  tlsCert,
  tlsKey,
}: Pick<Settings, 'tlsCert' | 'tlsKey'>): Promise<Certificate | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new SettingError('TLS requires both --tls-cert and --tls-key. Set both.');
  }
  const cert = await readPem('--tls-cert', tlsCert);
  const key = await readPem('--tls-key', tlsKey);
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SettingError(
      `--tls-cert '${tlsCert}' and --tls-key '${tlsKey}' are not a certificate and its private key, both in PEM format: ${reason}.`,
    );
  }
  return { cert, key };
}

function readPem(flag: string, file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new SettingError(`Cannot read ${flag} '${file}'. Check the path and its permissions.`);
  });
}

interface CertificateWatch {
  readonly settings: Pick<Settings, 'tlsCert' | 'tlsKey'>;
  readonly current: Certificate;
  readonly server: Pick<TlsServer, 'setSecureContext'>;
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn'>;
  readonly clock: () => number;
}

/** Uses a new certificate for new connections. An unusable one is logged once, and the current one stays in use. */
export class CertificateReloader {
  readonly #watch: CertificateWatch;
  #current: Certificate;
  #lastFault = '';

  constructor(watch: CertificateWatch) {
    this.#watch = watch;
    this.#current = watch.current;
    this.#logValidity(watch.current);
  }

  /** Checks the files every few seconds: notifications of the file system miss replaced links and network disks. */
  start(everyMs: number): () => void {
    const timer = setInterval(() => void this.check(), everyMs).unref();
    return () => clearInterval(timer);
  }

  async check(): Promise<void> {
    const { settings, server, logger } = this.#watch;
    try {
      const found = await readCertificate(settings);
      this.#lastFault = '';
      if (found === undefined || (found.cert === this.#current.cert && found.key === this.#current.key)) return;
      server.setSecureContext({ ...found, minVersion: 'TLSv1.2' });
      this.#current = found;
      this.#logValidity(found);
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      if (fault !== this.#lastFault) logger.warn({ reason: fault }, 'the new certificate cannot be used');
      this.#lastFault = fault;
    }
  }

  #logValidity({ cert }: Certificate): void {
    const { logger, clock } = this.#watch;
    const { subject, validToDate } = new X509Certificate(cert);
    const fields = { subject, validTo: validToDate.toISOString() };
    const days = (validToDate.getTime() - clock()) / DAY_MS;
    if (days < 0) logger.warn(fields, 'the certificate has expired');
    else if (days < EXPIRY_WARNING_DAYS) logger.warn(fields, 'the certificate expires soon');
    else logger.info(fields, 'using a certificate');
  }
}
