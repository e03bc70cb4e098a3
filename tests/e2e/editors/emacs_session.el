;; Plays one session in a real Emacs in batch mode; the configuration of the documentation is loaded before.
;; Results are printed as "STEP: VALUE" lines on stdout; messages of Emacs go to stderr.

(require 'cl-lib)
(setq eglot-connect-timeout 60 eglot-sync-connect 60 eglot-autoshutdown t)

(defun scope-report (step value) (princ (format "%s: %s\n" step value)))

(defun scope-wait (what condition)
  (let ((end (+ (float-time) 60)) value)
    (while (and (not (setq value (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.1))
    (unless value (scope-report "timeout" what) (kill-emacs 1))
    value))

(defvar scope-messages nil)
(advice-add 'eglot--message :before
            (lambda (format &rest args) (push (apply #'format format args) scope-messages)))

(find-file "views.py")
(python-mode)
(apply #'eglot (eglot--guess-contact))
(scope-report "attached" (plist-get (eglot--server-info (eglot-current-server)) :name))

(scope-ask "How does authentication check a password?")
(scope-wait "the message with the path"
            (lambda () (cl-find-if (lambda (m) (string-match "\\.scope/scope-" m)) scope-messages)))
(let ((message (cl-find-if (lambda (m) (string-match "\\.scope/scope-" m)) scope-messages)))
  (string-match "/[^ ]*\\.md" message)
  (scope-report "document" (match-string 0 message)))

(goto-char (point-min))
(search-forward "def log")
(let ((actions (jsonrpc-request (eglot-current-server) :textDocument/codeAction
                                (list :textDocument (eglot--TextDocumentIdentifier)
                                      :range (list :start (eglot--pos-to-lsp-position)
                                                   :end (eglot--pos-to-lsp-position))
                                      :context (list :diagnostics [])))))
  (scope-report "actions" (mapconcat (lambda (action) (plist-get action :title)) actions " | ")))
(eglot-shutdown (eglot-current-server))
(scope-report "done" "t")
