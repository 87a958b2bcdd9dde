; The installer that a person opens: per user, without an administrator, with a last page that opens the program.
; Made by `cargo xtask package windows` with makensis -DVERSION=… -DPARTS=<folder of the files> -DOUT=<the installer>.
Target amd64-unicode
SetCompressor /SOLID lzma
RequestExecutionLevel user
ManifestDPIAware true
BrandingText " "

!include MUI2.nsh
!include LogicLib.nsh
!include WinMessages.nsh
!include WordFunc.nsh
!insertmacro un.WordReplace

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Plimsoll"
!define LINK "Software\Classes\plimsoll"
!define RUN "Software\Microsoft\Windows\CurrentVersion\Run"
!define WEBVIEW "SOFTWARE\WOW6432Node\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
!define WEBVIEW_USER "Software\Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}"
; NSIS cannot hold a longer text. A PATH near that length is left alone rather than cut.
!define LONGEST_PATH 900

Name "Plimsoll"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Plimsoll"
InstallDirRegKey HKCU "${UNINSTALL}" "InstallLocation"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Plimsoll"
VIAddVersionKey FileDescription "Plimsoll"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey ProductVersion "${VERSION}"
VIAddVersionKey CompanyName "The Plimsoll developers"
VIAddVersionKey LegalCopyright "The Plimsoll developers"

; Signs the part that stays, which the signature of the installer does not cover.
!ifdef SIGN
  !uninstfinalize '${SIGN} "%1"'
!endif

!define MUI_ICON "${PARTS}/icon.ico"
!define MUI_UNICON "${PARTS}/icon.ico"
!define MUI_WELCOMEFINISHPAGE_BITMAP "${PARTS}/setup-side.bmp"
!define MUI_WELCOMEFINISHPAGE_BITMAP_STRETCH AspectFitHeight
!define MUI_FINISHPAGE_TITLE "Plimsoll is installed"
!define MUI_FINISHPAGE_TEXT "It has not touched your agents yet. When it opens, it shows every edit before it makes one."
!define MUI_FINISHPAGE_RUN "$INSTDIR\plimsoll-desktop.exe"
!define MUI_FINISHPAGE_RUN_TEXT "Open Plimsoll"
!define MUI_UNCONFIRMPAGE_TEXT_TOP "Plimsoll is disconnected from your agents first: every edit that it made is taken back. Then its knowledge base, its settings and the program itself are removed."
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

; A running program cannot be overwritten, but it can be renamed: what runs goes on, and what starts next is new.
!macro MakeWay NAME
  Delete "$INSTDIR\${NAME}.old"
  ${If} ${FileExists} "$INSTDIR\${NAME}"
    Delete "$INSTDIR\${NAME}"
    ${If} ${FileExists} "$INSTDIR\${NAME}"
      Rename "$INSTDIR\${NAME}" "$INSTDIR\${NAME}.old"
      Delete /REBOOTOK "$INSTDIR\${NAME}.old"
    ${EndIf}
  ${EndIf}
!macroend

Section
  SetOutPath "$INSTDIR"
  !insertmacro MakeWay "plimsoll.exe"
  !insertmacro MakeWay "plimsoll-desktop.exe"
  File "${PARTS}/plimsoll.exe"
  File "${PARTS}/plimsoll-desktop.exe"
  ; Microsoft's own toolchain links it in.
  !if /FileExists "${PARTS}/WebView2Loader.dll"
    !insertmacro MakeWay "WebView2Loader.dll"
    File "${PARTS}/WebView2Loader.dll"
  !endif
  File "${PARTS}/third-party-licences.txt"
  WriteUninstaller "$INSTDIR\uninstall.exe"

  CreateShortcut "$SMPROGRAMS\Plimsoll.lnk" "$INSTDIR\plimsoll-desktop.exe"

  WriteRegStr HKCU "${LINK}" "" "URL:Plimsoll"
  WriteRegStr HKCU "${LINK}" "URL Protocol" ""
  WriteRegStr HKCU "${LINK}\shell\open\command" "" '"$INSTDIR\plimsoll-desktop.exe" "%1"'

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Plimsoll"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\plimsoll-desktop.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Plimsoll developers"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  SectionGetSize 0 $0
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0

  ; Windows brings the web view since 2021; the page is Microsoft's own.
  ReadRegStr $0 HKLM "${WEBVIEW}" "pv"
  ReadRegStr $1 HKCU "${WEBVIEW_USER}" "pv"
  ${If} "$0$1" == ""
    MessageBox MB_YESNO|MB_ICONINFORMATION "Plimsoll's window needs Microsoft's WebView2, which is not on this computer. Open its download page?" /SD IDNO IDNO +2
    ExecShell open "https://developer.microsoft.com/microsoft-edge/webview2/"
  ${EndIf}

  ; An unreadable PATH reads as empty, and must not be written over.
  ClearErrors
  ReadRegStr $0 HKCU "Environment" "Path"
  ${IfNot} ${Errors}
    StrLen $1 $0
    ${WordFind} "$0;" "$INSTDIR;" "E+1{" $2
    ${If} ${Errors} ; it is not in there yet
    ${AndIf} $1 > 0
    ${AndIf} $1 < ${LONGEST_PATH}
      WriteRegExpandStr HKCU "Environment" "Path" "$0;$INSTDIR"
      SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
    ${EndIf}
  ${EndIf}
SectionEnd

Section Uninstall
  ; First of all, while everything is still there: every agent's files become what they were.
  DetailPrint "Disconnecting your agents"
  nsExec::ExecToLog '"$INSTDIR\plimsoll.exe" uninstall --all --yes'
  Pop $0

  Delete "$SMPROGRAMS\Plimsoll.lnk"
  DeleteRegKey HKCU "${LINK}"
  DeleteRegValue HKCU "${RUN}" "Plimsoll"
  ; The folder as it was written there: the one that we run in may be spelled otherwise.
  ReadRegStr $2 HKCU "${UNINSTALL}" "InstallLocation"
  ${If} $2 == ""
    StrCpy $2 $INSTDIR
  ${EndIf}
  ReadRegStr $0 HKCU "Environment" "Path"
  ${If} $0 != ""
    ${un.WordReplace} "$0" ";$2" "" "+" $1
    ${If} $1 != $0
      WriteRegExpandStr HKCU "Environment" "Path" "$1"
      SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=2000
    ${EndIf}
  ${EndIf}

  Delete "$INSTDIR\*.old"
  Delete /REBOOTOK "$INSTDIR\plimsoll.exe"
  Delete /REBOOTOK "$INSTDIR\plimsoll-desktop.exe"
  Delete /REBOOTOK "$INSTDIR\WebView2Loader.dll"
  Delete "$INSTDIR\third-party-licences.txt"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
