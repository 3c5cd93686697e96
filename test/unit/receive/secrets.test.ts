import { blanker } from '../../../nodes/shared/receive/messages';
import { secretsIn } from '../../../nodes/shared/receive/output';

/** What must not be repeated in messages. */

it.each([
	['hunter2 and hunter2', ['hunter2'], '… and …'],
	['a "quoted" (pass.word)*', ['(pass.word)*'], 'a "quoted" …'],
	['https://me:word@a.example.com/x', [], 'https://…@a.example.com/x'],
	['one two', ['one', 'two'], '… …'],
	['secrets', ['secret', 'secrets'], '…'],
	['nothing of it', ['secret'], 'nothing of it'],
])('%j without %j', (text, secrets, wanted) => expect(blanker(secrets)(text)).toBe(wanted));

it.each([
	[{ password: 1234 }, ['1234']],
	[{ site: { connection: { http_auth: { username: 'me', password: 'p-one' } } } }, ['p-one']],
	[{ password: '', secret: null, credentials: { timeout: 5 } }, []],
	[{ name: 'A', email: 'a@example.com' }, []],
])('the secrets in %j are known', (body, secrets) => expect(secretsIn(body)).toEqual(secrets));
