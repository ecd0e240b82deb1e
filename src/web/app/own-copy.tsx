import { ownCopyPath } from '../../model/web-page.ts';
import { context } from './context.ts';
import { Button } from './parts/controls.tsx';
import { toast } from './parts/toast.tsx';
import { messageOf, send } from './server/api.ts';
import './own-copy.css';

// A new version of the site has taken over. Drafts of forms are stored.
if (context.ownCopy) navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());

/** The foot of the page on a static site. */
export const OwnCopyFoot = () =>
  context.ownCopy && (
    <footer class="message own-copy screen-only">
      {context.ownCopy.text}
      {context.ownCopy.actions.map(([label, method]) => (
        <Button
          key={method}
          label={label}
          look="small"
          onClick={() =>
            send(method, ownCopyPath, {})
              .then(() => location.reload())
              .catch((error) => toast(messageOf(error)))
          }
        />
      ))}
    </footer>
  );
