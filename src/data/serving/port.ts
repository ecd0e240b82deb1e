import { readFile } from 'node:fs/promises';
import { Failure, systemFailure } from '../../model/error.ts';
import { type Certificate, listen } from '../../server/listen.ts';
import type { NodeParts, ServingOptions } from './options.ts';

/** See {@link NodeParts}. */
export const listenerOf: NodeParts['listenerOf'] = async (options) => {
  const certificate = await certificateOf(options);
  const { host, port, keepsRunning, onRequest } = options;
  return (server, allowHosts) =>
    listen(server, { host, port, certificate, allowHosts, keepsRunning, onConnectionError: onRequest }).catch((error) =>
      listenFailure(error, options),
    );
};

/** Reads the certificate of a server and its key; undefined without them. Throws `bad-request` if one is missing or invalid, or if they are not a pair. */
async function certificateOf({ tlsCert, tlsKey }: Pick<ServingOptions, 'tlsCert' | 'tlsKey'>): Promise<Certificate | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new Failure(
      'bad-request',
      'HTTPS requires a certificate and its key',
      'Pass both --tls-cert and --tls-key (tlsCert and tlsKey).',
    );
  const [{ X509Certificate, createPrivateKey }, cert, key] = [await import('node:crypto'), await fileAt(tlsCert), await fileAt(tlsKey)];
  const parsed = <T>(parse: () => T, message: string): T => {
    try {
      return parse();
    } catch {
      throw new Failure('bad-request', message, 'Files for this machine can be created with mkcert localhost 127.0.0.1.');
    }
  };
  const certificate = parsed(() => new X509Certificate(cert), `${tlsCert} is not a certificate in PEM format`);
  const privateKey = parsed(() => createPrivateKey(key), `${tlsKey} is not an unencrypted private key in PEM format`);
  if (!certificate.checkPrivateKey(privateKey))
    throw new Failure('bad-request', `${tlsKey} is not the key of ${tlsCert}`, 'Pass the two files of one certificate.');
  return { cert, key };
}

const fileAt = (path: string): Promise<Buffer> =>
  readFile(path).catch((error) => {
    throw systemFailure(error, path);
  });

/** Throws the error of a server that cannot listen as a Failure. */
function listenFailure(error: NodeJS.ErrnoException, { host, port }: Pick<ServingOptions, 'host' | 'port'>): never {
  if (error.code === 'EADDRINUSE') throw new Failure('conflict', `Port ${port} is already in use`, 'Use --port 0 for any free port.');
  if (error.code === 'EACCES') throw new Failure('bad-request', `No permission to listen on port ${port}`, 'Use a port from 1024 on.');
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    throw new Failure('bad-request', `${host} is not an address of this machine`, 'Use 127.0.0.1, or 0.0.0.0 for all addresses.');
  throw error;
}
