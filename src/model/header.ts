/** Matches names that a header can have. */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/;

/** Matches values that a header can have. */
export const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;
