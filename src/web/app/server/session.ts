import { useEffect, useState } from 'preact/hooks';

/** Basic credentials, kept for as long as this tab is open. They are no cookie: nothing is sent that the page does not send. */
const key = 'credentials';

const listeners = new Set<() => void>();

/** Tells when somebody signs in or out, or gives a token, until the function that it gives is called. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The value of the header that says who asks; undefined for a visitor. */
export const authorization = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

/** The name of who is signed in; undefined for a visitor. */
export function userName(): string | undefined {
  const header = authorization();
  return header && new TextDecoder().decode(bytesOf(header.slice('Basic '.length))).split(':')[0];
}

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/** The header for a name and a password. */
export const credentialsOf = (name: string, password: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(`${name}:${password}`)))}`;

/** Asks as somebody else from now on; as a visitor without a header. */
export function signIn(header: string | undefined): void {
  if (header) sessionStorage.setItem(key, header);
  else sessionStorage.removeItem(key);
  for (const listener of listeners) listener();
}

const tokenKey = 'control token';

/** The value of the header that control of the calendar is asked for with; undefined without a token. */
export const controlAuthorization = (): string | undefined => {
  const token = sessionStorage.getItem(tokenKey);
  return token === null ? undefined : `Bearer ${token}`;
};

/** Asks for control with a token from now on, for as long as this tab is open; without one again where it is undefined. */
export function setControlToken(token: string | undefined): void {
  if (token === undefined) sessionStorage.removeItem(tokenKey);
  else sessionStorage.setItem(tokenKey, token);
  for (const listener of listeners) listener();
}

/** Who is signed in, for components. */
export function useUserName(): string | undefined {
  const [name, setName] = useState(userName);
  useEffect(() => onSession(() => setName(userName())), []);
  return name;
}
