/** Text of the document, with code between backticks. */
export const Description = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 ? <code key={part}>{part}</code> : part))}</>
);
