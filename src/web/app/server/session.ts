import { useEffect, useState } from 'preact/hooks';
import { context } from '../context.ts';
import { onPageToken, pageToken } from './page-token.ts';

/** Storage key of the Basic credentials. They are stored until the tab is closed and sent only with requests of the page, unlike a cookie. */
const key = 'credentials';

const listeners = new Set<() => void>();

/** Calls the listener after signing in or out and after setting a token. Returns a function that removes it. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The Authorization header of the current user; undefined for visitors. */
export const authorization = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

/** The name of the current user; undefined for visitors. */
export function signedInName(): string | undefined {
  const header = sessionStorage.getItem(key);
  return header === null ? undefined : new TextDecoder().decode(decodeBase64(header.slice('Basic '.length))).split(':')[0];
}

const decodeBase64 = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

export const basicCredentials = (name: string, password: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`)))}`;

/** Signs in with an Authorization header, or out with undefined. */
export function signIn(header: string | undefined): void {
  if (header) sessionStorage.setItem(key, header);
  else sessionStorage.removeItem(key);
  for (const listener of listeners) listener();
}

const tokenKey = 'control token';

/** The token for the control API: the control token, or that of the person who started the server; undefined without one. */
export const controlToken = (): string | undefined => sessionStorage.getItem(tokenKey) ?? pageToken();

/** The Authorization header for the control API; undefined without a token. */
export const controlAuthorization = (): string | undefined => {
  const token = controlToken();
  return token && `Bearer ${token}`;
};

/** True if the page can use the control API: the server allows it to everyone, or the tab has a token. */
export const canUseControl = (): boolean =>
  context.control === 'everyone' || (context.control === 'token' && controlAuthorization() !== undefined);

/** Stores the token for the control API until the tab is closed. Undefined removes it. */
export function setControlToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(tokenKey);
  else sessionStorage.setItem(tokenKey, token);
  for (const listener of listeners) listener();
}

onPageToken(() => {
  for (const listener of listeners) listener();
});

/** A value of the session; re-renders the component when it changes. */
function useSession<T>(read: () => T): T {
  const [value, setValue] = useState(read);
  useEffect(() => onSession(() => setValue(read)), [read]);
  return value;
}

/** The token for the control API as a header; re-renders the component when it changes. */
export const useControlAuthorization = (): string | undefined => useSession(controlAuthorization);

/** The name of the current user; re-renders the component when it changes. */
export const useUserName = (): string | undefined => useSession(signedInName);
