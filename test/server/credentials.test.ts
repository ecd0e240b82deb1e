import { describe, expect, it } from 'vitest';
import { headerWithoutSecrets, withoutSecrets } from '../../src/server/journal/credentials.ts';

describe('without secrets', () => {
  it.each([
    ['password=SECRET&search=x', 'password=[redacted]&search=x'],
    ['search=x&pass%77ord=SECRET&post%5Fpassword=SECRET', 'search=x&pass%77ord=[redacted]&post%5Fpassword=[redacted]'],
    ['user[password]=SECRET&user%5Btoken%5D=SECRET&a[]=b', 'user[password]=[redacted]&user%5Btoken%5D=[redacted]&a[]=b'],
    ['x-api-key=SECRET&client_secret=SECRET&idToken=SECRET', 'x-api-key=[redacted]&client_secret=[redacted]&idToken=[redacted]'],
    ['http://x.test/?token=SECRET&a=b#c', 'http://x.test/?token=[redacted]&a=b#c'],
    ['{"password": "SECRET", "title": "x"}', '{"password":"[redacted]","title":"x"}'],
    [
      '{"client_secret":"SE\\"CRET","accessToken":1,"n":{"Password":null,"b":[2]}}',
      '{"client_secret":"[redacted]","accessToken":"[redacted]","n":{"Password":"[redacted]","b":[2]}}',
    ],
    ['{"password":["SECRET",{"a":"SECRET"}],"token":{"value":"SECRET"},"a":"b"}', '{"password":"[redacted]","token":"[redacted]","a":"b"}'],
    ['{"pass\\u0077ord":"SECRET","a":"b"}', '{"password":"[redacted]","a":"b"}'],
    ['{"link":"http://x.test/?token=SECRET&a=b","title":"y"}', '{"link":"http://x.test/?token=[redacted]&a=b","title":"y"}'],
    ['[{"tags":["password","token"]},"a: b"]', '[{"tags":["password","token"]},"a: b"]'],
    ['{"a": "b", "token": "", "n": 12345678901234567890}', '{"a":"b","token":"[redacted]","n":12345678901234567000}'],
    ['{"a": "b", "n": 12345678901234567890}', '{"a": "b", "n": 12345678901234567890}'],
    ['{"a":1,"password":"SECRET that is cut of', '[redacted]'],
    ['{"a":1,"pass\\u0077ord" : ["SECRET that is cut of', '[redacted]'],
    ['{"password":"SECRET"}\n{"a":1}', '[redacted]'],
    ['{"a":"http://x.test/?token=SECRET that is cut of', '{"a":"http://x.test/?token=[redacted]'],
    ['[{"title":"The secret of a text that is cut of', '[{"title":"The secret of a text that is cut of'],
    [
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\nSECRET\r\n--x',
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n[redacted]\r\n--x',
    ],
    ['a concert at 7 = good', 'a concert at 7 = good'],
    ['pwd=SECRET&auth=SECRET&jwt=SECRET&sig=SECRET', 'pwd=[redacted]&auth=[redacted]&jwt=[redacted]&sig=[redacted]'],
    ['session=SECRET&session_id=SECRET&userPwd=SECRET', 'session=[redacted]&session_id=[redacted]&userPwd=[redacted]'],
    [
      'aws_access_key=SECRET&credentials=SECRET&X-Amz-Signature=SECRET',
      'aws_access_key=[redacted]&credentials=[redacted]&X-Amz-Signature=[redacted]',
    ],
    ['author=1&coauth=2&possession=3&signatures_count=4', 'author=1&coauth=2&possession=3&signatures_count=4'],
  ])('%s', (text, plain) => expect(withoutSecrets(text)).toBe(plain));

  it('JSON that is too deep to be written', () =>
    expect(withoutSecrets(`{"password":"SECRET","a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`)).toBe('[redacted]'));

  it.each([
    ['authorization', 'Bearer SECRET', 'Bearer [redacted]'],
    ['cookie', 'a=SECRET', '[redacted]'],
    ['x-auth-token', 'SECRET', '[redacted]'],
    ['x-auth', 'SECRET', '[redacted]'],
    ['x-amz-security-token', 'SECRET', '[redacted]'],
    ['x-wp-nonce', 'SECRET', '[redacted]'],
    ['referer', 'http://x.test/?api_key=SECRET', 'http://x.test/?api_key=[redacted]'],
    ['accept', 'text/html', 'text/html'],
  ])('the header %s', (name, value, plain) => expect(headerWithoutSecrets(name, value)).toBe(plain));
});
